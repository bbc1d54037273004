import type { FailureClass } from './failure-class.ts';

/** The eight kinds of failure. Every finer type lies under one of them. */
export type FailureParent =
  | 'timeout'
  | 'not_found'
  | 'permission'
  | 'syntax'
  | 'network'
  | 'resource'
  | 'dependency'
  | 'execution';

/** What went wrong, as finely as can be told. */
export type FailureType =
  | FailureParent
  | 'interactive'
  | 'unknown_tool'
  | 'edit_mismatch'
  | 'auth'
  | 'denied'
  | 'invalid_args'
  | 'server_error'
  | 'rate_limit'
  | 'too_large'
  | 'conflict'
  | 'check_failed'
  | 'cancelled';

/** What a type of failures means. */
export interface FailureTypeRule {
  /** Undefined for what is no failure of anything. */
  readonly parent: FailureParent | undefined;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Neither worked nor failed: the call was taken back or not allowed, which says nothing about the tool. */
  readonly isNeutral: boolean;
}

const under = (parent: FailureParent, retryable = false): FailureTypeRule => ({
  parent,
  retryable,
  isNeutral: false,
});

/** What each type means, in the order of the parents: where a line fits two, the first counts. */
export const FAILURE_TYPES: Readonly<Record<FailureType, FailureTypeRule>> = Object.freeze({
  timeout: under('timeout', true),
  interactive: under('timeout'),
  not_found: under('not_found'),
  unknown_tool: under('not_found'),
  edit_mismatch: under('not_found'),
  permission: under('permission'),
  auth: under('permission'),
  denied: { parent: 'permission', retryable: false, isNeutral: true },
  syntax: under('syntax'),
  invalid_args: under('syntax'),
  network: under('network', true),
  server_error: under('network', true),
  resource: under('resource'),
  rate_limit: under('resource', true),
  too_large: under('resource'),
  dependency: under('dependency'),
  execution: under('execution'),
  conflict: under('execution'),
  check_failed: under('execution'),
  cancelled: { parent: undefined, retryable: false, isNeutral: true },
});

/**
 * The type each of guard's classes is. Guard decides on retries and circuits, advice on words: without one
 * table between them the same failure would be told in two ways.
 */
export const TYPE_OF_CLASS: Readonly<Record<FailureClass, FailureType>> = Object.freeze({
  transport: 'network',
  timeout: 'timeout',
  server: 'server_error',
  'rate-limited': 'rate_limit',
  'tool-error': 'execution',
  'invalid-arguments': 'invalid_args',
  auth: 'permission',
  'not-found': 'not_found',
  cancelled: 'cancelled',
  refused: 'denied',
});
