import { InvalidOptionError } from '../../errors.ts';
import type { FleetPlace } from '../breaker/circuit-breaker.ts';
import type { CircuitsOptions } from './circuits-options.ts';

/** The options, with the time and chance of the fleet where none are given. */
export function inFleet(options: CircuitsOptions): CircuitsOptions {
  const { fleet, clock, random } = options;
  if (fleet === undefined) return options;
  const { environment } = fleet;
  // What one clock calls now is no time at all on another.
  if (clock !== undefined && clock !== environment.clock)
    throw new InvalidOptionError('circuits.clock', 'the clock of the fleet', clock);
  return { ...options, clock: environment.clock, random: random ?? environment.random };
}

/** Where circuits get their places, under the names by which the fleet knows them. */
export function fleetPlace({ fleet, namespace }: CircuitsOptions): FleetPlace | undefined {
  if (fleet === undefined || namespace === undefined) return fleet;
  const prefix = `${namespace}:`;
  return {
    seat: (name, circuit, machine) => fleet.seat(prefix + name, circuit, machine),
    enlist: (make) =>
      fleet.enlist((name) => {
        if (name.startsWith(prefix)) make(name.slice(prefix.length));
      }),
  };
}
