import type { JsonValue, Repair } from '../../types.ts';
import { isSpace } from '../json/char-code.ts';
import { JsonReader } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';

/** What could be read of a list, or of values one after the other, that is broken or cut off. */
export interface Pieces {
  readonly values: readonly JsonValue[];
  /** The text of each, where that is valid JSON, a missing brace put at its end. */
  readonly sources: readonly (string | undefined)[];
  readonly repairs: readonly Repair[];
  readonly lossy: boolean;
  /** Where each of them ends. */
  readonly ends: readonly number[];
}

export interface PieceOptions {
  readonly maxDepth: number;
  /** Where an object begins that is known to be cut; reading it again would tell nothing new. */
  readonly cutFrom: number;
  /** That object, where it lacks nothing but its last brace. */
  readonly cutValue: JsonValue | undefined;
  /** Whether to go on behind a piece that cannot be read. */
  readonly passesOver: boolean;
  /** Whether an object that lacks nothing but its last brace has all it needs. */
  readonly isWhole: (value: JsonValue) => boolean;
}

/** How many pieces that cannot be read are passed over: each may cost the rest of the text. */
const MOST_BROKEN = 32;

/** Reads the objects of a list each on its own: one that is broken, or cut, costs the others nothing. */
export function readPieces(text: string, options: PieceOptions): Pieces {
  const { maxDepth } = options;
  const values: JsonValue[] = [];
  const sources: (string | undefined)[] = [];
  const repairs = new Set<Repair>();
  let lossy = false;
  const ends: number[] = [];
  let broken = 0;
  for (let at = skipBetween(text, 0); text.charAt(at) === '{'; at = skipBetween(text, at)) {
    const json = new JsonReader({ maxDepth });
    const isCut = at === options.cutFrom;
    const status = isCut ? 'more' : json.read(text.slice(at));
    if (status === 'more') {
      const value = isCut ? options.cutValue : closeWithBrace(text.slice(at), maxDepth);
      if (value === undefined || !options.isWhole(value)) break;
      values.push(value);
      sources.push(`${text.slice(at)}}`);
      repairs.add('missing-brace');
      ends.push(skipBack(text, text.length - 1) + 1);
      break;
    }
    if (status === 'failed') {
      if (!options.passesOver || ++broken > MOST_BROKEN) break;
      at = nextObject(text, at + Math.max(1, json.failedAt));
      continue;
    }
    values.push(json.value ?? null);
    sources.push(json.isValid ? text.slice(at, at + json.endOffset) : undefined);
    for (const repair of json.repairs) repairs.add(repair);
    lossy ||= json.lossy;
    at += json.endOffset;
    ends.push(at);
  }
  return { values, sources, repairs: [...repairs], lossy, ends };
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
