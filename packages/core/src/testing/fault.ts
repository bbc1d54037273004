/** What can be made to happen to a call of a tool. */
export type Fault =
  /** Nothing: the tool is called. */
  | { readonly kind: 'ok' }
  /** The tool is not called, and something is thrown. */
  | { readonly kind: 'error'; readonly error?: unknown }
  /** The tool is called, and its answer is lost: something is thrown. What it did, it did. */
  | { readonly kind: 'lost-answer'; readonly error?: unknown }
  /** The tool is called later. */
  | { readonly kind: 'latency'; readonly latencyMs?: number }
  /** Nothing comes back until the caller aborts. */
  | { readonly kind: 'hang' }
  /** The tool is not called, and a result comes back that says it is an error, as MCP writes one. */
  | { readonly kind: 'is-error'; readonly text?: string }
  /** The tool is not called, and something comes back that is no result of it. */
  | { readonly kind: 'malformed'; readonly result?: unknown };

/** The name of a fault. */
export type FaultKind = Fault['kind'];

/** A fault, or only its kind. */
export type FaultStep = Fault | FaultKind;

/** All kinds, for those who draw one. */
export const FAULT_KINDS: readonly FaultKind[] = Object.freeze([
  'ok',
  'error',
  'lost-answer',
  'latency',
  'hang',
  'is-error',
  'malformed',
]);
