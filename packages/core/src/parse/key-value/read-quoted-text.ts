import type { Repair } from '../../types.ts';
import { parseStrict } from '../json/parse-strict.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { KeyValueMarkup } from './key-value-markup.ts';

export interface QuotedText {
  readonly text: string;
  readonly repair: Repair;
  /** Whether backslashes were kept, since not all of them are escapes. */
  readonly isRaw: boolean;
}

/** How far is looked ahead to see whether a quote ends the string. */
const LOOK_AHEAD = 64;

/** Reads a string in ordinary quotes, which the dialect does not have but models write. */
export function* readQuotedText(
  input: ScriptInput,
  { begin, end }: KeyValueMarkup,
): Script<QuotedText | 'cut' | 'broken'> {
  const quote = yield* input.peek(1);
  const stops = new MarkerSet([quote, '\\', end]);
  let raw = '';
  input.skip(1);
  for (;;) {
    const { text, marker } = yield* input.until(stops);
    raw += text;
    if (marker === undefined) return 'cut';
    if (marker === end) return 'broken';
    const ahead = yield* input.peek(LOOK_AHEAD);
    if (marker === '\\') {
      raw += ahead.slice(0, 2);
      input.skip(2);
      continue;
    }
    input.skip(1);
    const next = ahead.slice(1).trimStart();
    const isEnd = [',', '}', ']', begin, end].some((follower) => next.startsWith(follower));
    if (isEnd || next === '') return decode(raw, quote);
    raw += quote;
  }
}

function decode(raw: string, quote: string): QuotedText {
  const repair = quote === "'" ? 'single-quotes' : 'odd-quotes';
  const strict = quote === '"' ? parseStrict(`"${raw}"`, 1) : 'invalid';
  if (typeof strict === 'object' && typeof strict.value === 'string')
    return { text: strict.value, repair, isRaw: false };
  const text = raw.replaceAll(`\\${quote}`, quote);
  return { text, repair, isRaw: quote === '"' && text.includes('\\') };
}
