import {
  callable,
  checkOptions,
  count,
  duration,
  durationOrOff,
  object,
  text,
} from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import type { CircuitOptions } from '../breaker/circuit-options.ts';
import { ENVIRONMENT_RULES } from '../guard-environment.ts';
import type { GuardEnvironment } from '../guard-environment.ts';
import type { CircuitFleet } from '../store/circuit-fleet.ts';

/** How circuits are set up and kept. */
export interface CircuitsOptions extends GuardEnvironment {
  /** What circuits do unless configured by name. @defaultValue CIRCUIT_DEFAULTS */
  readonly defaults?: CircuitOptions;
  /** What circuits of servers do, over the defaults. @defaultValue SERVER_CIRCUIT */
  readonly serverDefaults?: CircuitOptions;
  /** What circuits of providers do, over the defaults. @defaultValue PROVIDER_CIRCUIT */
  readonly providerDefaults?: CircuitOptions;
  /** Settings by name of the circuit, over the defaults; as `configureCircuit`. @defaultValue {} */
  readonly overrides?: Readonly<Record<string, CircuitOptions>>;
  /** The circuits of tools that share one, by name of the tool; as `mapTool`. @defaultValue {} */
  readonly tools?: Readonly<Record<string, string>>;
  /** A closed circuit that was not used for so long is forgotten. @defaultValue 3_600_000 */
  readonly idleMs?: number;
  /** How often idle circuits are looked for. @defaultValue 900_000 */
  readonly sweepEveryMs?: number;
  /** Circuits that are kept at most. @defaultValue 10_000 */
  readonly maxCircuits?: number;
  /** The fleet that shares them with other processes. @defaultValue none */
  readonly fleet?: CircuitFleet;
  /** Put before their names in the fleet: circuits of the same name are one there, whoever has them. @defaultValue none */
  readonly namespace?: string;
  /** Whether a circuit that the fleet has opened is made here before its first call, by its name. @defaultValue all are */
  readonly accepts?: (name: string) => boolean;
}

/** How many circuits are kept, and how long, unless told otherwise. */
export const CIRCUITS_DEFAULTS: Required<
  Pick<CircuitsOptions, 'idleMs' | 'sweepEveryMs' | 'maxCircuits'>
> = Object.freeze({ idleMs: 3_600_000, sweepEveryMs: 900_000, maxCircuits: 10_000 });

const RULES: Readonly<Record<keyof CircuitsOptions, OptionRule>> = {
  defaults: object,
  serverDefaults: object,
  providerDefaults: object,
  overrides: object,
  tools: object,
  idleMs: durationOrOff(1),
  sweepEveryMs: duration(1),
  maxCircuits: count(1),
  fleet: (value) => (hasSeats(value) ? undefined : 'a CircuitFleet'),
  namespace: text,
  accepts: callable,
  ...ENVIRONMENT_RULES,
};

/** Throws on what cannot work. */
export function checkCircuitsOptions(options: CircuitsOptions): void {
  checkOptions(options, RULES, 'circuits');
}

/** What is asked of a fleet, so that whoever has none need not load it. */
function hasSeats(value: unknown): boolean {
  return (
    object(value) === undefined &&
    callable((value as Readonly<Record<string, unknown>>)['seat']) === undefined
  );
}
