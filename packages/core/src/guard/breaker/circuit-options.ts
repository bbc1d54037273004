import {
  between,
  checkOptions,
  count,
  countOrOff,
  duration,
  durationOrOff,
  flag,
  object,
  oneOf,
  ratioOrOff,
} from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import { CIRCUIT_RULES } from '../../internal/circuit-machine.ts';
import type { CircuitRules } from '../../internal/circuit-machine.ts';
import { FAILURE_RULES } from '../../internal/failure-class.ts';
import type { FailureClass } from '../../internal/failure-class.ts';
import { InvalidOptionError } from '../../errors.ts';

/** When a circuit opens, how it closes again, and what it remembers. `Infinity` switches a rule off. */
export interface CircuitOptions {
  /** Failures in a row that open it. @defaultValue 5 */
  readonly consecutiveFailures?: number;
  /** A failure that came longer after the one before it begins a new row. @defaultValue 600_000 */
  readonly consecutiveMaxAgeMs?: number;
  /** Share of the calls in the window that open it when they fail. @defaultValue 0.5 */
  readonly failureRatio?: number;
  /** From this duration on a call is slow. @defaultValue Infinity */
  readonly slowCallMs?: number;
  /** Share of the calls in the window that open it when they are slow. @defaultValue Infinity */
  readonly slowCallRatio?: number;
  /** How far back the shares look. @defaultValue 60_000 */
  readonly windowMs?: number;
  /** Calls the window must hold before either share means anything. @defaultValue 10 */
  readonly minCalls?: number;
  /** How long it stays open before probes are let through. @defaultValue 60_000 */
  readonly openForMs?: number;
  /** How many times longer each time it opens again without having closed. @defaultValue 1 */
  readonly openForGrowth?: number;
  /** How long it stays open at most, however often it opened. @defaultValue 600_000 */
  readonly maxOpenForMs?: number;
  /** Share of the open time that is left to chance. @defaultValue 0 */
  readonly openForJitter?: number;
  /** Probes that may be under way at a time. @defaultValue 1 */
  readonly probes?: number;
  /** Probes that have to succeed to close it. @defaultValue 1 */
  readonly successesToClose?: number;
  /** A probe that says nothing for so long loses its place to another. @defaultValue 60_000 */
  readonly probeLeaseMs?: number;
  /** How much of a server's Retry-After is believed. @defaultValue 900_000 */
  readonly maxRetryAfterMs?: number;
  /** Whether one failure that comes with a Retry-After opens the circuit until then. @defaultValue false */
  readonly opensOnRetryAfter?: boolean;
  /** Whether calls are refused, or it is only observed when they would be. @defaultValue 'enforce' */
  readonly mode?: 'enforce' | 'shadow';
  /**
   * Whether its failures can open it for a whole fleet, or only here. Means nothing without one.
   * @defaultValue 'fleet'
   */
  readonly scope?: 'fleet' | 'local';
  /**
   * What it does while the store of its fleet is away: goes by its own counts, lets every call through, or none.
   * @defaultValue 'local'
   */
  readonly onStoreLoss?: 'local' | 'admit' | 'refuse';
  /** Transitions that are remembered. @defaultValue 100 */
  readonly historySize?: number;
  /** Which classes of failures count, where that differs from `FAILURE_RULES`. @defaultValue {} */
  readonly counts?: Readonly<Partial<Record<FailureClass, boolean>>>;
}

/** What a circuit does unless told otherwise. */
export const CIRCUIT_DEFAULTS: Required<CircuitOptions> = Object.freeze({
  ...CIRCUIT_RULES,
  maxRetryAfterMs: 900_000,
  opensOnRetryAfter: false,
  mode: 'enforce',
  scope: 'fleet',
  onStoreLoss: 'local',
  historySize: 100,
  counts: Object.freeze({}),
});

const RULES: Readonly<Record<keyof CircuitOptions, OptionRule>> = {
  consecutiveFailures: countOrOff(1),
  consecutiveMaxAgeMs: durationOrOff(1),
  failureRatio: ratioOrOff,
  slowCallMs: durationOrOff(1),
  slowCallRatio: ratioOrOff,
  windowMs: duration(1),
  minCalls: count(1),
  openForMs: duration(1),
  openForGrowth: between(1, 1000),
  maxOpenForMs: durationOrOff(),
  openForJitter: between(0, 1),
  probes: count(1),
  successesToClose: count(1),
  probeLeaseMs: durationOrOff(1),
  maxRetryAfterMs: durationOrOff(),
  opensOnRetryAfter: flag,
  mode: oneOf('enforce', 'shadow'),
  scope: oneOf('fleet', 'local'),
  onStoreLoss: oneOf('local', 'admit', 'refuse'),
  historySize: count(0),
  counts: object,
};

/** Options as a circuit uses them: shared by all circuits that were made with the same. */
export interface CircuitSettings extends Required<CircuitOptions>, CircuitRules {}

/** `options` over `base`. Throws on what cannot work. */
export function resolveCircuitOptions(
  options: CircuitOptions,
  base: CircuitSettings = CIRCUIT_DEFAULTS,
): CircuitSettings {
  if (resolved.has(options)) return options as CircuitSettings;
  checkOptions(options, RULES, 'circuit');
  for (const [name, isCounted] of Object.entries(options.counts ?? {})) {
    if (!Object.hasOwn(FAILURE_RULES, name)) {
      const known = Object.keys(FAILURE_RULES).join(', ');
      throw new InvalidOptionError('circuit.counts', `classes of failures (${known})`, name);
    }
    const expected = flag(isCounted);
    if (expected !== undefined)
      throw new InvalidOptionError(`circuit.counts.${name}`, expected, isCounted);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const merged = { ...base, ...(Object.fromEntries(given) as CircuitOptions) };
  if (merged.slowCallMs !== Infinity && merged.slowCallRatio === Infinity)
    throw new InvalidOptionError('circuit.slowCallRatio', 'a share, with slowCallMs', Infinity);
  if (merged.slowCallRatio !== Infinity && merged.slowCallMs === Infinity)
    throw new InvalidOptionError(
      'circuit.slowCallMs',
      'milliseconds, with slowCallRatio',
      Infinity,
    );
  const settings = Object.freeze({ ...merged, counts: { ...base.counts, ...options.counts } });
  resolved.add(settings);
  return settings;
}

/** What came from here need not be looked at again: ten thousand circuits share one. */
const resolved = new WeakSet<object>([CIRCUIT_DEFAULTS]);
