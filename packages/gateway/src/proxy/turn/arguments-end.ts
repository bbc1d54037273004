/** Watches the arguments of a call as they arrive, and knows when their object is closed. */
export class ArgumentsEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isClosed = false;

  /** Whether an object was opened and closed again. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  feed(text: string): void {
    for (let at = 0; at < text.length && !this.#isClosed; at++) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = this.#isInString;
      else if (code === QUOTE) this.#isInString = !this.#isInString;
      else if (!this.#isInString) this.#nest(code);
    }
  }

  #nest(code: number): void {
    if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && this.#depth > 0)
      this.#isClosed = --this.#depth === 0;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
