import type { JsonValue } from '../../types.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { LONGEST_HEAD } from './may-be-literal.ts';
import type { ParameterReading } from './parameter-reading.ts';

/** One parameter of a call: its value is told as it arrives if it is certain to be a string. */
export class InvokeParameter {
  readonly key: string;
  readonly #draft: CallDraft;
  readonly #reading: ParameterReading;
  #isAsking: boolean;
  #isOpen = false;
  #text = '';

  /** `isHeld` tells nothing before `finish`. */
  constructor(draft: CallDraft, key: string, reading: ParameterReading, isHeld: boolean) {
    this.key = key;
    this.#draft = draft;
    this.#reading = reading;
    this.#isAsking = !isHeld;
  }

  add(piece: string): void {
    if (this.#isOpen) {
      this.#draft.append(piece);
      return;
    }
    this.#text += piece;
    if (!this.#isAsking) return;
    if (this.#reading.isString(this.#text)) this.#open();
    // How a text begins decides it; asking on would cost its whole length each time.
    this.#isAsking = this.#text.length <= LONGEST_HEAD;
  }

  /** No more text comes: the argument is set. */
  finish(): void {
    if (!this.#isOpen && this.#reading.isString(this.#text)) this.#open();
    if (this.#isOpen) this.#draft.closeString();
    else this.#draft.set(this.key, this.value());
  }

  value(): JsonValue {
    return this.#reading.isString(this.#text) ? this.#text : this.#reading.read(this.#text);
  }

  #open(): void {
    this.#isOpen = true;
    this.#draft.openString(this.key);
    this.#draft.append(this.#text);
  }
}
