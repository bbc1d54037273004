import { FenceState } from '../fence-state.ts';
import { BACKTICK } from '../json/char-code.ts';

/**
 * Keeps the calls in code fences apart from the others: one in a fence that is not the last of the message is an
 * example where another call is outside a fence.
 */
export class FenceDoubts<Call> {
  readonly #onExample: (call: Call) => void;
  readonly #fence = new FenceState();
  /** Numbers the fences; 0 is outside of any. */
  #current = 0;
  #count = 0;
  #hasOutside: boolean;
  /** Those in the last fence, which nothing has followed yet. */
  #last: Call[] = [];
  #lastFence = 0;
  /** Those that something follows. */
  #followed: Call[] = [];

  /** `hasOutside` says whether a call came before that is outside a fence. */
  constructor(hasOutside: boolean, onExample: (call: Call) => void) {
    this.#hasOutside = hasOutside;
    this.#onExample = onExample;
  }

  /** A text follows; `fence` knows what came before it. */
  follow(fence: FenceState): void {
    this.#fence.copyFrom(fence);
    this.#setFence();
  }

  /** Takes the character at `at` of that text. */
  next(text: string, at: number): void {
    const code = text.charCodeAt(at);
    this.#fence.read(text, at, at + 1);
    this.#setFence();
    if (code !== BACKTICK && text.charAt(at).trim() !== '') this.#place(this.#current);
  }

  /** A call whose source is, or begins with, a fence. */
  add(call: Call, isFence: boolean): void {
    const fence = isFence ? ++this.#count : this.#current;
    this.#place(fence);
    this.#last.push(call);
    this.#lastFence = fence;
  }

  /** A call outside any fence. */
  addOutside(): void {
    this.content();
    this.#hasOutside = true;
    this.#settle();
  }

  /** What may be a call, or text, outside any fence. */
  content(): void {
    this.#place(0);
  }

  /** The message is complete: the calls that are left are calls. */
  end(): readonly Call[] {
    const calls = [...this.#followed, ...this.#last];
    this.#followed = [];
    this.#last = [];
    return calls;
  }

  #setFence(): void {
    if (!this.#fence.isOpen) this.#current = 0;
    else if (this.#current === 0) this.#current = ++this.#count;
  }

  /** Something visible is in `fence`. */
  #place(fence: number): void {
    if (this.#last.length === 0 || fence === this.#lastFence) return;
    for (const call of this.#last) this.#followed.push(call);
    this.#last = [];
    this.#settle();
  }

  #settle(): void {
    if (!this.#hasOutside) return;
    for (const call of this.#followed) this.#onExample(call);
    this.#followed = [];
  }
}
