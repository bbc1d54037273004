import type { CallReader, RawCall, ReadStatus } from '../format.ts';

/** What a user's function may return for a body: its calls, or null or an empty list for "not a call". */
export type ReadBody = (body: string) => readonly RawCall[] | null;

/** Collects a block up to its end marker and hands it to a function. */
export class TextBodyReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reason = '';
  readonly resembledCall = true;
  cut = false;
  readonly tooDeep = false;

  readonly #endMarker: string;
  readonly #readBody: ReadBody;
  #body = '';
  /** The last characters of `#body`, where an end marker may have begun: the only part looked at twice. */
  #tail = '';

  constructor(endMarker: string, readBody: ReadBody) {
    this.#endMarker = endMarker;
    this.#readBody = readBody;
  }

  read(text: string, from: number): ReadStatus {
    const chunk = from === 0 ? text : text.slice(from);
    const window = this.#tail + chunk;
    const windowStart = this.#body.length - this.#tail.length;
    const at = window.indexOf(this.#endMarker);
    this.#body += chunk;
    if (at >= 0) {
      const end = windowStart + at;
      this.endOffset = end + this.#endMarker.length;
      return this.#finish(this.#body.slice(0, end));
    }
    this.#tail = window.slice(Math.max(0, window.length - this.#endMarker.length + 1));
    return 'more';
  }

  end(): ReadStatus {
    this.endOffset = this.#body.length;
    this.cut = true;
    this.reason = 'the text ends inside the call';
    return 'declined';
  }

  #finish(body: string): ReadStatus {
    const calls = this.#readBody(body);
    if (calls === null || calls.length === 0) {
      this.reason = 'its reader found no call';
      return 'declined';
    }
    this.calls = calls;
    return 'done';
  }
}
