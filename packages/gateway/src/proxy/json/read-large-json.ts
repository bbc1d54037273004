import { StringDecoder } from 'node:string_decoder';
import type { JsonValue } from '@holdfast/core';
import { parseExactJson, parseExactJsonInSteps } from '@holdfast/core/check';
import { inTurns } from '../fair-share.ts';

/** What is shorter is read at once, which takes a few milliseconds at most. */
const LARGE = 256 * 1024;

/** Decodes UTF-8; a long text in steps, between which others have their turn. */
export async function decodeText(bytes: Buffer): Promise<string> {
  return bytes.length <= LARGE ? bytes.toString('utf8') : inTurns(decodeInSteps(bytes));
}

/** Parses JSON, long JSON in steps. Rejects with a `SyntaxError` where it is none. */
export async function parseJson(text: string): Promise<JsonValue> {
  return text.length <= LARGE ? parseExactJson(text) : inTurns(parseExactJsonInSteps(text));
}

function* decodeInSteps(bytes: Buffer): Generator<undefined, string, undefined> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  for (let from = 0; from < bytes.length; from += LARGE) {
    text += decoder.write(bytes.subarray(from, from + LARGE));
    yield;
  }
  return text + decoder.end();
}
