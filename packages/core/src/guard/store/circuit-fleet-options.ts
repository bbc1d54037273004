import {
  callable,
  checkOptions,
  count,
  duration,
  object,
  text,
} from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import { ENVIRONMENT_RULES } from '../guard-environment.ts';
import type { GuardEnvironment } from '../guard-environment.ts';
import type { CircuitStore } from './circuit-store.ts';

/** Where the circuits of a fleet are kept, and how it speaks with the store. */
export interface CircuitFleetOptions extends GuardEnvironment {
  /** Where the circuits of the fleet are kept. */
  readonly store: CircuitStore;
  /** What this process is called among the others. @defaultValue an id of its own for every fleet that is made */
  readonly replica?: string;
  /** What is counted is told once in so many milliseconds, from the least to the most, by chance. @defaultValue [250, 1000] */
  readonly flushMs?: readonly [number, number];
  /** Commands that all replicas together send per second, about: where there would be more, they tell less often. @defaultValue 5000 */
  readonly maxCommandsPerSecond?: number;
  /** How long an answer of the store is waited for; in the background, always. @defaultValue 500 */
  readonly storeTimeoutMs?: number;
  /** How often this process says that it is there. @defaultValue 5000 */
  readonly heartbeatMs?: number;
  /** The version of the program, for those who look at the list of replicas. @defaultValue '' */
  readonly version?: string;
}

/** How a fleet speaks with its store unless told otherwise. */
export const CIRCUIT_FLEET_DEFAULTS: Required<
  Pick<
    CircuitFleetOptions,
    'flushMs' | 'maxCommandsPerSecond' | 'storeTimeoutMs' | 'heartbeatMs' | 'version'
  >
> = Object.freeze({
  flushMs: Object.freeze([250, 1000] as const),
  maxCommandsPerSecond: 5000,
  storeTimeoutMs: 500,
  heartbeatMs: 5000,
  version: '',
});

/** What a store has to have. `watch` is for those that can. */
const OPERATIONS = ['report', 'lease', 'settle', 'override', 'join', 'leave', 'replicas'] as const;

const store: OptionRule = (value) => {
  const isStore =
    object(value) === undefined &&
    OPERATIONS.every((name) => callable((value as Record<string, unknown>)[name]) === undefined);
  return isStore ? undefined : `a store of circuits (an object with ${OPERATIONS.join(', ')})`;
};

const range: OptionRule = (value) => {
  const [least, most] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const isRange =
    duration(1)(least) === undefined &&
    duration(1)(most) === undefined &&
    (least as number) <= (most as number);
  return isRange ? undefined : 'the least and the most milliseconds, at least 1, as [250, 1000]';
};

const RULES: Readonly<Record<keyof CircuitFleetOptions, OptionRule>> = {
  store,
  replica: text,
  flushMs: range,
  maxCommandsPerSecond: count(1),
  storeTimeoutMs: duration(1),
  heartbeatMs: duration(100),
  version: (value) => (typeof value === 'string' ? undefined : 'a string'),
  ...ENVIRONMENT_RULES,
};

/** Throws on what cannot work. */
export function checkFleetOptions(options: CircuitFleetOptions): void {
  // It is the one option that cannot be left out.
  const { store: given = null } = options as Partial<CircuitFleetOptions>;
  checkOptions({ ...options, store: given }, RULES, 'fleet');
}
