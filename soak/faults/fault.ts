import type { Traffic } from '../clients/traffic.ts';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';

/** What a fault is done with. */
export interface FaultMeans {
  readonly world: World;
  readonly traffic: Traffic;
  readonly dice: Dice;
}

/** Something bad that happens to the gateway or to what it needs. */
export interface Fault {
  readonly kind: string;
  /** What it is done to. Faults that are done to the same thing come one after the other. */
  readonly target: string;
  /** How long it lasts; both 0 for what happens in a moment. */
  readonly minMs: number;
  readonly maxMs: number;
  /** While it lasts, the gateway may be unable to do anything at all, so that nothing else recovers either. */
  readonly hinders?: boolean;
  /** How soon what it broke has to work again where nothing hinders; 30 s if absent. */
  readonly recoversWithinMs?: number;
  /** Why it cannot be done here; undefined where it can. */
  whyNot?(world: World): string | undefined;
  /** Begins it. Resolves to what ends it. */
  begin(means: FaultMeans): Promise<() => Promise<void> | void>;
  /** How often faults of its kind have hit something so far, as whoever was hit counts it. */
  hits(world: World): number | Promise<number>;
  /** Whether what it broke works again. Asked over and over once it has ended. */
  hasRecovered(world: World): Promise<boolean>;
}

/** Two seconds, and as much again for a machine that is busy. */
export const REDIS_RECOVERS_WITHIN_MS = 4000;

export const NOTHING = (): void => undefined;
