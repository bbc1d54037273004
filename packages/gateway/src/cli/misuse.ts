import { EXIT } from './exit-codes.ts';

/** The user asked for something that cannot be done. The message says what was expected and what arrived. */
export class Misuse extends Error {
  /** What the program ends with. */
  readonly exitCode: number = EXIT.misuse;
}
