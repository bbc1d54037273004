import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { EscapeDecoder, LONGEST_ESCAPE } from './escape-decoder.ts';

/** The stops of strings by their quotes: what ends them, a backslash, and the braces of f-strings. */
const STOPS = new Map(
  ['"', "'", '"""', "'''"].map((quote) => [
    quote,
    {
      plain: new MarkerSet([quote, '\\']),
      formatted: new MarkerSet([quote, '\\', '{', '}']),
    },
  ]),
);

/** Reads one string literal of Python. */
export class PythonString {
  quote = '';
  /** Whether it has line breaks that Python takes only in triple quotes. */
  hasRawBreaks = false;
  /** What was read of it, without its escapes. */
  source = '';
  readonly #isRaw: boolean;
  readonly #isMarkdown: boolean;
  readonly #isFormatted: boolean;
  readonly #onPiece: (piece: string) => void;
  readonly #escapes = new EscapeDecoder();

  /** `isMarkdown` says that underscores are escaped. */
  constructor(prefix: string, onPiece: (piece: string) => void, isMarkdown = false) {
    this.#isMarkdown = isMarkdown;
    this.#isRaw = /r/i.test(prefix);
    this.#isFormatted = /f/i.test(prefix);
    this.#onPiece = onPiece;
  }

  /** Whether it has an escape that Python refuses. */
  get isBroken(): boolean {
    return this.#escapes.isBroken;
  }

  get isDoubtful(): boolean {
    return this.#escapes.isDoubtful;
  }

  /** Whether it has no prefix that changes its meaning, and stands in single quotes of either kind. */
  get isPlain(): boolean {
    return !this.#isRaw && !this.#isFormatted && this.quote.length === 1;
  }

  /** Reads from its quote to behind the next. Returns why not, or `cut` when the text ends in it. */
  *read(input: ScriptInput): Script<string | undefined> {
    const first = yield* input.peek(1);
    const triple = first.repeat(3);
    this.quote = (yield* input.startsWith(triple)) ? triple : first;
    const both = STOPS.get(this.quote);
    const stops = this.#isFormatted ? both?.formatted : both?.plain;
    if (stops === undefined) return 'no string follows';
    input.skip(this.quote.length);
    for (;;) {
      const { marker } = yield* input.until(stops, (piece) => this.#tell(piece));
      if (marker === undefined) return 'cut';
      if (marker === this.quote) {
        input.skip(marker.length);
        return undefined;
      }
      if (marker !== '\\') {
        if ((yield* input.peek(2)) !== marker + marker) return 'a text has to be filled in';
        input.skip(2);
        this.#onPiece(marker);
        continue;
      }
      let ahead = yield* input.peek(2);
      if (ahead.length < 2) return 'cut';
      if (/[xuU0-7\r]/.test(ahead)) ahead = yield* input.peek(LONGEST_ESCAPE);
      input.skip(this.#unescape(ahead));
    }
  }

  /** Adds source that turned out to be part of it. */
  add(source: string): void {
    for (let at = 0; at < source.length;) {
      const next = source.indexOf('\\', at);
      const stop = next < 0 ? source.length : next;
      if (stop > at) this.#tell(source.slice(at, stop));
      at = next < 0 ? stop : stop + this.#unescape(source.slice(stop, stop + LONGEST_ESCAPE));
    }
  }

  /** Tells the escape that `ahead` begins with. Returns how much of it was taken. */
  #unescape(ahead: string): number {
    if (this.#isRaw) {
      this.#onPiece(ahead.slice(0, 2));
      return 2;
    }
    if (this.#isMarkdown && ahead.startsWith('\\_')) {
      this.#onPiece('_');
      return 2;
    }
    const { text, length } = this.#escapes.decode(ahead);
    if (text !== '') this.#onPiece(text);
    return length;
  }

  #tell(piece: string): void {
    this.source += piece;
    if (this.quote.length === 1 && !this.hasRawBreaks) this.hasRawBreaks = /[\n\r\0]/.test(piece);
    this.#onPiece(piece);
  }
}
