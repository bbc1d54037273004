import { isSpace } from '../json/char-code.ts';

/**
 * Passes text on, but for brackets and space at its end: until something else follows, they may turn out to
 * stand behind the text.
 */
export class HeldTail {
  readonly #onPiece: (piece: string) => void;
  #held = '';
  #told = 0;

  constructor(onPiece: (piece: string) => void) {
    this.#onPiece = onPiece;
  }

  add(piece: string): void {
    let end = piece.length;
    while (end > 0 && isBracketOrSpace(piece.charCodeAt(end - 1))) end--;
    if (end === 0) {
      this.#held += piece;
      return;
    }
    this.#tell(this.#held + piece.slice(0, end));
    this.#held = piece.slice(end);
  }

  /** The text ends, and is `length` long. */
  finish(length: number): void {
    this.#tell(this.#held.slice(0, length - this.#told));
  }

  #tell(text: string): void {
    this.#told += text.length;
    this.#onPiece(text);
  }
}

function isBracketOrSpace(code: number): boolean {
  return code === 0x7d || code === 0x5d || isSpace(code);
}
