import type { CircuitState, TransitionReason } from '../../../internal/circuit-machine.ts';
import type { SharedCircuit } from '../circuit-store.ts';

/** What the scripts about a circuit answer, all of it as texts, and nothing where there is none. */
export type RawAnswer = readonly (string | null)[];

export interface Answer {
  /** Whether the step was a transition, which others want to hear of. */
  readonly isTransition: boolean;
  readonly isGranted: boolean;
  readonly shared: SharedCircuit;
}

/** A reply of a client as texts; undefined where it is no answer. */
export function rawAnswerOf(reply: unknown): RawAnswer | undefined {
  if (!Array.isArray(reply) || reply.length !== FIELDS) return undefined;
  const values = (reply as readonly unknown[]).map(textOf);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Reads an answer; undefined where it is none. */
export function readAnswer(raw: RawAnswer): Answer | undefined {
  const [transition, granted, version, state, openFor, openings, reason, note, replica] = raw;
  const numbers = [version, openFor, openings, ...raw.slice(COUNTS_AT)].map(numberOf);
  if (!isState(state) || numbers.some(Number.isNaN)) return undefined;
  const [
    at = 0,
    openForMs = 0,
    opened = 0,
    calls = 0,
    failures = 0,
    slow = 0,
    tokens = 0,
    left = 0,
  ] = numbers;
  return {
    isTransition: transition === '1',
    isGranted: granted === '1',
    shared: {
      version: at,
      state,
      openForMs,
      openings: opened,
      reason: isReason(reason) ? reason : undefined,
      note: note ?? undefined,
      replica: replica ?? undefined,
      calls,
      failures,
      slow,
      tokens,
      probeInMs: left,
    },
  };
}

const FIELDS = 14;
const COUNTS_AT = 9;

/**
 * Text for text and numbers, null for nothing, undefined for anything else. A client may be set to give bytes for
 * texts, and large integers for numbers.
 */
export function textOf(value: unknown): string | null | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return value === null ? null : undefined;
}

const numberOf = (text: string | null | undefined): number =>
  text === 'inf'
    ? Infinity
    : text === null || text === undefined || text === ''
      ? NaN
      : Number(text);

const STATES: Readonly<Record<CircuitState, true>> = {
  closed: true,
  open: true,
  'half-open': true,
};

const isState = (text: string | null | undefined): text is CircuitState =>
  typeof text === 'string' && Object.hasOwn(STATES, text);

const REASONS: Readonly<Record<TransitionReason, true>> = {
  failure_threshold_exceeded: true,
  failure_ratio_exceeded: true,
  slow_ratio_exceeded: true,
  recovery_timeout_expired: true,
  probe_succeeded: true,
  probe_failed: true,
  probe_slow: true,
  retry_after: true,
  isolated: true,
  reset: true,
};

/** A replica of a later version may have reasons that this one does not know. */
const isReason = (text: string | null | undefined): text is TransitionReason =>
  typeof text === 'string' && Object.hasOwn(REASONS, text);
