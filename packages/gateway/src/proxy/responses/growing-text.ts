/**
 * A text that grows by a few characters at a time. Strings that are added up keep every piece as an object of its own,
 * which takes many times the memory of the text.
 */
export class GrowingText {
  #text = '';
  #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= MOST_PIECES) this.#join();
  }

  /** All of it. */
  get value(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    if (this.#pieces.length === 0) return;
    this.#text += this.#pieces.join('');
    this.#pieces = [];
  }
}

const MOST_PIECES = 128;
