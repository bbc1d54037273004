import type { FuzzInput } from './fuzz-input.ts';

/** Something that reads what others wrote, and what has to hold whatever they wrote. */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly FuzzInput[];
  /** What inputs are made of, besides the texts in its `sources`. */
  readonly words: readonly string[];
  /** Files and folders whose texts inputs are made of, and whose branches are reported. */
  readonly sources: readonly string[];
  /** The most characters of an input. @defaultValue 400 */
  readonly maxLength?: number;
  /** Throws a `BrokenLaw` where something does not hold. What else it throws is a finding too. */
  run(input: FuzzInput): void | Promise<void>;
  /** Reads a text of any length, once: what this costs has to grow with its length and no faster. */
  readOnce?(text: string): void;
  /** What was counted besides: differences from others that are no fault of ours. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** Something that has to hold does not. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw';
  /** What should be true, in words: two findings with the same law are one. */
  readonly law: string;

  constructor(law: string, detail: string) {
    super(`${law}\n${detail}`);
    this.law = law;
  }
}

/** Throws a `BrokenLaw` unless the two are the same. */
export function expectSame(law: string, got: string, wanted: string): void {
  if (got !== wanted) throw new BrokenLaw(law, `   got: ${got}\nwanted: ${wanted}`);
}

export function expectTrue(law: string, isTrue: boolean, detail: () => string): void {
  if (!isTrue) throw new BrokenLaw(law, detail());
}
