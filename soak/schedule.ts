import { Dice } from './dice.ts';
import type { Fault } from './faults/fault.ts';

/** A fault, and when it comes. */
export interface PlannedFault {
  readonly fault: Fault;
  /** After the beginning of its slice. */
  readonly afterMs: number;
  readonly forMs: number;
  /** For what else is drawn. */
  readonly name: string;
}

/** A stretch of traffic with faults in it. Behind it everything is let settle, and what is held is counted. */
export interface Slice {
  readonly faults: readonly PlannedFault[];
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly slices: number;
  /** How long clients come in a slice. */
  readonly sliceMs: number;
  readonly faults: readonly Fault[];
  readonly faultsPerSlice: number;
}

/** Says what happens when. The first slice is quiet. Every kind comes once before any comes again. */
export function planSlices(options: ScheduleOptions): readonly Slice[] {
  const { seed, slices, sliceMs, faults, faultsPerSlice } = options;
  const dice = new Dice(seed, 'schedule');
  const deck: Fault[] = [];
  return Array.from({ length: slices }, (_, slice) => {
    if (slice === 0 || faults.length === 0) return { faults: [] };
    if (deck.length < faultsPerSlice) deck.push(...dice.shuffle(faults));
    const drawn = deck.splice(0, faultsPerSlice);
    return {
      faults: drawn.map((fault) => ({
        fault,
        afterMs: Math.round(dice.between(0.05, 0.6) * sliceMs),
        forMs: Math.round(dice.between(fault.minMs, fault.maxMs)),
        name: `${fault.kind} in slice ${slice}`,
      })),
    };
  });
}
