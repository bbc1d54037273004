/**
 * The text of a parameter as it is found. What is certain is passed on at once; white space at its end is
 * kept back, because it is layout where the closing tag was forgotten.
 */
export class ValueText {
  /** Whether something that was written is left out. */
  isLossy = false;
  readonly #onText: (piece: string) => void;
  readonly #trims: boolean;
  #isEmpty = true;
  #space = '';
  /** Everything from a closing tag on that may have been part of the text. */
  #doubtful: string | undefined;

  /** `trims` leaves out white space at both ends. */
  constructor(trims: boolean, onText: (piece: string) => void) {
    this.#trims = trims;
    this.#onText = onText;
  }

  /** Whether a closing tag was doubted. */
  get isDoubtful(): boolean {
    return this.#doubtful !== undefined;
  }

  add(piece: string): void {
    if (this.#doubtful !== undefined) {
      this.#doubtful += piece;
      return;
    }
    const end = piece.trimEnd().length;
    if (end === 0) {
      this.#space += piece;
      return;
    }
    const solid = this.#space + piece.slice(0, end);
    this.#pass(this.#isEmpty && this.#trims ? solid.trimStart() : solid);
    this.#space = piece.slice(end);
  }

  /** A closing tag that is followed by something that cannot follow one. */
  doubt(markup: string): void {
    this.#doubtful = (this.#doubtful ?? '') + markup;
  }

  /** All of it was the text of the parameter. */
  settle(): void {
    const rest = this.#space + (this.#doubtful ?? '');
    this.#space = '';
    this.#doubtful = undefined;
    this.#pass(this.#trims ? rest.trimEnd() : rest);
  }

  /** The closing tag was forgotten, or it was the one that was doubted. */
  giveUp(): void {
    this.isLossy = this.#doubtful !== undefined;
    if (this.isLossy && !this.#trims) this.#pass(this.#space);
    this.#space = '';
    this.#doubtful = undefined;
  }

  #pass(piece: string): void {
    if (piece === '') return;
    this.#isEmpty = false;
    this.#onText(piece);
  }
}
