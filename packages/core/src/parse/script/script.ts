import type { Opening } from '../format.ts';
import type { ScriptInput } from './script-input.ts';

/** Reads something over any number of chunks: it yields wherever more text is needed to go on. */
export type Script<T> = Generator<undefined, T, undefined>;

/** This is no call. */
export interface Declined {
  readonly reason: string;
}

/**
 * Reads one block from behind its opening, in plain sequential code. The calls are those that were begun
 * with `input.beginCall`; it returns why when there is none.
 */
export type BlockScript = (input: ScriptInput, opening: Opening) => Script<Declined | undefined>;
