import { InvalidOptionError } from '../errors.ts';
import {
  between,
  callable,
  checkOptions,
  duration,
  flag,
  object,
} from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import { systemClock } from '../internal/clock.ts';
import type { Clock } from '../internal/clock.ts';
import { createRandom } from './create-random.ts';
import { FAULT_KINDS } from './fault.ts';
import type { Fault, FaultKind, FaultStep } from './fault.ts';

/** Which faults calls get. The script comes first; calls behind its end are left to chance. */
export interface FaultOptions {
  /** What happens to each call, in order. @defaultValue [] */
  readonly script?: readonly FaultStep[];
  /** Whether the script begins anew at its end. @defaultValue false */
  readonly repeats?: boolean;
  /** How likely each kind is, 0 to 1, together at most 1; the rest of the calls are let through. @defaultValue {} */
  readonly chances?: Readonly<Partial<Record<FaultKind, number>>>;
  /** Where chance begins: the same seed gives the same faults. @defaultValue 1 */
  readonly seed?: number;
  /** How much later a call with `latency` is made. @defaultValue 1_000 */
  readonly latencyMs?: number;
  /** Makes what `error` and `lost-answer` throw. @defaultValue () => new Error('injected fault') */
  readonly error?: () => unknown;
  /** Where time comes from. @defaultValue the system's clock */
  readonly clock?: Clock;
}

/** What faults are like unless told otherwise. */
export const FAULT_DEFAULTS: Required<Omit<FaultOptions, 'error' | 'clock'>> = Object.freeze({
  script: Object.freeze([]),
  repeats: false,
  chances: Object.freeze({}),
  seed: 1,
  latencyMs: 1000,
});

/** A fault with all that it needs. */
export type DrawnFault =
  | { readonly kind: 'ok' | 'hang' }
  | { readonly kind: 'error' | 'lost-answer'; readonly error: unknown }
  | { readonly kind: 'latency'; readonly latencyMs: number }
  | { readonly kind: 'is-error' | 'malformed'; readonly result: unknown };

/** Deals out faults, one for each call. Tools that share one share its script. */
export interface Faults {
  readonly clock: Clock;
  /** The kinds that were dealt out so far, in order. */
  readonly dealt: readonly FaultKind[];
  /** The fault of the next call. */
  next(): DrawnFault;
}

const isKind = (value: unknown): boolean => (FAULT_KINDS as readonly unknown[]).includes(value);
const isStep = (value: unknown): boolean =>
  isKind(value) ||
  (typeof value === 'object' && value !== null && 'kind' in value && isKind(value.kind));

const RULES: Readonly<Record<keyof FaultOptions, OptionRule>> = {
  script: (value) =>
    Array.isArray(value) && value.every(isStep)
      ? undefined
      : `an array of faults (${FAULT_KINDS.join(', ')})`,
  repeats: flag,
  chances: object,
  seed: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  latencyMs: duration(),
  error: callable,
  clock: object,
};

const CHANCE_RULES = Object.fromEntries(
  FAULT_KINDS.map((kind): [FaultKind, OptionRule] => [kind, between(0, 1)]),
);

/** Faults by a script, by chance, or both: `createFaults({ script: ['ok', 'error', 'hang'] })`. */
export function createFaults(options: FaultOptions = {}): Faults {
  checkOptions(options, RULES, 'faults');
  const {
    script = FAULT_DEFAULTS.script,
    repeats = FAULT_DEFAULTS.repeats,
    chances = FAULT_DEFAULTS.chances,
    seed = FAULT_DEFAULTS.seed,
    latencyMs = FAULT_DEFAULTS.latencyMs,
    clock = systemClock,
    error = () => new Error('injected fault'),
  } = options;
  checkOptions(chances, CHANCE_RULES, 'faults.chances');
  const shares = Object.entries(chances) as [FaultKind, number][];
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  // Shares such as 0.1 do not add up to exactly 1.
  if (sum > 1 + 1e-9) throw new InvalidOptionError('faults.chances', 'at most 1 in all', sum);
  const random = createRandom(seed);
  const dealt: FaultKind[] = [];

  function nextStep(): FaultStep {
    const at = repeats && script.length > 0 ? dealt.length % script.length : dealt.length;
    return script[at] ?? draw(shares, random());
  }

  return {
    clock,
    dealt,
    next() {
      const step = nextStep();
      const fault = typeof step === 'string' ? { kind: step } : step;
      dealt.push(fault.kind);
      return complete(fault, latencyMs, error);
    },
  };
}

function draw(shares: readonly (readonly [FaultKind, number])[], drawn: number): FaultKind {
  let below = 0;
  for (const [kind, share] of shares) {
    below += share;
    if (drawn < below) return kind;
  }
  return 'ok';
}

function complete(fault: Fault, latencyMs: number, error: () => unknown): DrawnFault {
  switch (fault.kind) {
    case 'ok':
    case 'hang':
      return fault;
    case 'error':
    case 'lost-answer':
      return { kind: fault.kind, error: 'error' in fault ? fault.error : error() };
    case 'latency':
      return { kind: 'latency', latencyMs: fault.latencyMs ?? latencyMs };
    case 'is-error':
      return { kind: 'is-error', result: errorResult(fault.text ?? 'injected fault') };
    case 'malformed':
      return { kind: 'malformed', result: 'result' in fault ? fault.result : CUT_OFF };
  }
}

/** JSON that ends in the middle: what is left of an answer when a connection breaks. */
const CUT_OFF = '{"content": [{"type": "text", "te';

function errorResult(text: string): unknown {
  return { content: [{ type: 'text', text }], isError: true };
}
