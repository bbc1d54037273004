import { formatAdvisorEvent } from '@holdfast/core/advise';
import type { AdvisorEvent } from '@holdfast/core/advise';
import { formatGuardEvent } from '@holdfast/core/guard';
import type { GuardEvent } from '@holdfast/core/guard';
import type { Logger } from '../../log/logger.ts';

interface OfTool {
  readonly server: string;
  readonly tool: string;
}

/** What happens around tool calls. None of it holds arguments or results. */
export type CallEvent =
  | GuardEvent
  | AdvisorEvent
  | (OfTool & {
      readonly type: 'arguments-repaired';
      /** What was set right, and where: `coerced-value at limit`. */
      readonly repairs: readonly string[];
    })
  | (OfTool & {
      readonly type: 'arguments-refused';
      /** What is wrong, and where: `missing-argument at path`. */
      readonly issues: readonly string[];
    })
  | (OfTool & { readonly type: 'schema-given-up' })
  | (OfTool & { readonly type: 'call-stopped'; readonly code: string })
  | (OfTool & { readonly type: 'result-cut'; readonly bytesLeftOut: number })
  | (OfTool & { readonly type: 'call-failed'; readonly class: string; readonly attempts: number });

export type CallEventListener = (event: CallEvent) => void;

/** Writes an event to the log: what an operator should look at as a warning, each single call as a detail. */
export function logCallEvent(event: CallEvent, log: Logger): void {
  switch (event.type) {
    case 'circuit-opened':
      log.warn({ circuit: event.circuit }, formatGuardEvent(event));
      return;
    case 'circuit-half-opened':
    case 'circuit-closed':
    case 'retry-scheduled':
    case 'call-timed-out':
      log.info({}, formatGuardEvent(event));
      return;
    case 'circuit-refused':
    case 'circuits-removed':
    case 'store-degraded':
    case 'store-recovered':
    case 'retry-abandoned':
      log.debug({}, formatGuardEvent(event));
      return;
    case 'advice-given':
    case 'call-vetoed':
      log.info({}, formatAdvisorEvent(event));
      return;
    case 'advisor-failed':
      log.error({}, formatAdvisorEvent(event));
      return;
    case 'arguments-repaired':
    case 'arguments-refused':
    case 'schema-given-up':
    case 'call-stopped':
    case 'result-cut':
    case 'call-failed': {
      const { type, ...fields } = event;
      log.info(fields, MESSAGES[type]);
    }
  }
}

const MESSAGES = {
  'arguments-repaired': 'arguments were set right',
  'arguments-refused': 'arguments do not fit the schema of the tool',
  'schema-given-up': 'the schema of the tool cannot be followed: its arguments are not checked',
  'call-stopped': 'a plugin stopped the call',
  'result-cut': 'the result was too large and was cut',
  'call-failed': 'the call failed',
} as const;
