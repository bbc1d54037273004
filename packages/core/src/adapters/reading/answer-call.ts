import type { JsonObject, Repair } from '../../types.ts';

/** A call that is complete and valid JSON, as a client of any SDK may run it. */
export interface AnswerCall {
  /** Never empty, and no other call of the answer has it. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** `arguments` as text; `{}` where there are none. */
  readonly json: string;
  /** Who read it: a dialect of Holdfast, or the server (`native`). */
  readonly format: string;
  readonly repairs: readonly Repair[];
  /** What does not fit the schema of its tool, in words for the model; undefined where all does. */
  readonly problem?: string;
}

/** A call that the server told itself, with arguments that may be broken JSON. */
export interface NativeCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}
