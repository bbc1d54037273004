import type { ReasoningEnd } from './format.ts';
import { findReasoningEnd } from './reasoning-tags.ts';

/**
 * A call that was read inside reasoning, and all that came behind it. Where the reasoning ends after it, it
 * was only a thought; where it never does, the call counts.
 */
export class Suspension {
  text = '';
  readonly #ends: readonly ReasoningEnd[];
  readonly #longest: number;
  /** The last characters, where an end may have begun: all else was searched. */
  #tail = '';

  constructor(ends: readonly ReasoningEnd[]) {
    this.#ends = ends;
    this.#longest = Math.max(1, ...ends.map(({ text }) => text.length));
  }

  /** Takes what comes next. Returns whether the reasoning ends in it. */
  append(chunk: string): boolean {
    const window = this.#tail + chunk;
    this.text += chunk;
    this.#tail = window.slice(Math.max(0, window.length - this.#longest + 1));
    return findReasoningEnd(window, 0, this.#ends) !== undefined;
  }
}
