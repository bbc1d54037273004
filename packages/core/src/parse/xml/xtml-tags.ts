import { isSpace } from '../json/char-code.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

export const XTML_OPEN = '<|open|>';
export const XTML_CLOSE = '<|close|>';
const SEPARATOR = '<|sep|>';
/** A line break is no part of a tag: one is not looked for through pages of prose. */
const HEADER_ENDS = new MarkerSet([SEPARATOR, XTML_OPEN, XTML_CLOSE, '\n']);
/** No tag is longer; prose is. */
const LONGEST = 1024;

export interface XtmlTag {
  readonly word: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads `word key="value"…<|sep|>`; the word may have been read before. Undefined when it is something else. */
export function* readXtmlTag(input: ScriptInput): Script<XtmlTag | undefined> {
  const { text, marker } = yield* input.until(HEADER_ENDS);
  if (marker !== SEPARATOR || text.length > LONGEST) return undefined;
  input.skip(SEPARATOR.length);
  const header = text.trim();
  const word = /^[a-z]+(?=\s|$)/.exec(header)?.[0] ?? '';
  return { word, attributes: attributesIn(header.slice(word.length)) };
}

/** Reads `<|close|>word<|sep|>`, and says what was read: without a word when it closes nothing. */
export function* readXtmlClose(input: ScriptInput): Script<{ word: string; source: string }> {
  if (!(yield* input.take(XTML_CLOSE))) return { word: '', source: '' };
  const before = yield* input.takeWhile(isSpace, LONGEST);
  const word = yield* input.takeWhile(isLetter, LONGEST);
  const behind = yield* input.takeWhile(isSpace, LONGEST);
  const isWhole = yield* input.take(SEPARATOR);
  const source = XTML_CLOSE + before + word + behind + (isWhole ? SEPARATOR : '');
  return { word: isWhole ? word : '', source };
}

/** `key="value"` pairs. Only the two characters that cannot be written otherwise are escaped. */
function attributesIn(header: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  for (;;) {
    const equals = header.indexOf('="', at);
    const end = equals < 0 ? -1 : header.indexOf('"', equals + 2);
    if (end < 0) return attributes;
    const value = header.slice(equals + 2, end);
    attributes.set(
      header.slice(at, equals).trim(),
      value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );
    at = end + 1;
  }
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
