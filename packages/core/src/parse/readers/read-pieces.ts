import type { JsonValue } from '../../types.ts';
import { isSpace } from '../json/char-code.ts';
import { JsonReader } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';
import type { ReadValue } from './read-value.ts';

/** What could be read of a list, or of values one after the other, that is broken or cut off. */
export interface Pieces {
  readonly values: readonly ReadValue[];
  /** Where the first piece begins that could not be read; -1 where all of them could. */
  readonly unreadAt: number;
}

export interface PieceOptions {
  readonly maxDepth: number;
  /** Where in the text the pieces begin. */
  readonly from: number;
  /** Where an object begins that is known to be cut; reading it again would tell nothing new. */
  readonly cutFrom: number;
  /** That object, where it lacks nothing but its last brace. */
  readonly cutValue: JsonValue | undefined;
  /** Whether to go on behind a piece that cannot be read. */
  readonly passesOver: boolean;
  /** Whether an object that lacks nothing but its last brace has all it needs. */
  readonly isWhole: (value: JsonValue) => boolean;
}

const CLOSED: Pick<ReadValue, 'repairs' | 'lossy' | 'items' | 'endRepairs'> = {
  repairs: ['missing-brace'],
  lossy: false,
  items: [],
  endRepairs: [],
};
/** How many pieces that cannot be read are passed over: each may cost the rest of the text. */
const MOST_BROKEN = 32;

/** Reads the objects of a list each on its own: one that is broken, or cut, costs the others nothing. */
export function readPieces(text: string, options: PieceOptions): Pieces {
  const { maxDepth } = options;
  const values: ReadValue[] = [];
  let unreadAt = -1;
  let broken = 0;
  let at = skipBetween(text, options.from);
  while (text.charAt(at) === '{') {
    const start = at;
    const json = new JsonReader({ maxDepth });
    const isCut = at === options.cutFrom;
    const status = isCut ? 'more' : json.read(text, at);
    if (status === 'more') {
      const value = isCut ? options.cutValue : closeWithBrace(text.slice(at), maxDepth);
      if (value === undefined || !options.isWhole(value)) break;
      const source = `${text.slice(at)}}`;
      at = text.length;
      const end = skipBack(text, at - 1) + 1;
      values.push({ ...CLOSED, value, source, start, end });
    } else if (status === 'failed') {
      if (!options.passesOver || ++broken > MOST_BROKEN) break;
      if (unreadAt < 0) unreadAt = at;
      at = nextObject(text, at + Math.max(1, json.failedAt));
    } else {
      const { value = null, repairs, lossy, items } = json;
      at += json.endOffset;
      const source = json.isValid ? text.slice(start, at) : undefined;
      values.push({ value, source, start, end: at, repairs, lossy, items, endRepairs: [] });
    }
    at = skipBetween(text, at);
  }
  return { values, unreadAt: unreadAt < 0 && at < text.length ? at : unreadAt };
}

/** The value that the text is with one more brace, if it is one. */
function closeWithBrace(text: string, maxDepth: number): JsonValue | undefined {
  const closed = parseStrict(`${text}}`, maxDepth);
  return typeof closed === 'string' ? undefined : closed.value;
}

/** The next object that follows another one, as the next item of a list does; the end where there is none. */
function nextObject(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1)) {
    let before = skipBack(text, at - 1);
    if (text.charAt(before) === ',') before = skipBack(text, before - 1);
    if (text.charAt(before) === '}') return at;
  }
  return text.length;
}

function skipBetween(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isSpace(text.charCodeAt(at)) || '[],;'.includes(text.charAt(at))))
    at++;
  return at;
}

function skipBack(text: string, from: number): number {
  let at = from;
  while (at >= 0 && isSpace(text.charCodeAt(at))) at--;
  return at;
}
