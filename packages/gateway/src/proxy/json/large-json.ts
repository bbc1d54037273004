import { StringDecoder } from 'node:string_decoder';
import type { JsonValue } from '@holdfast/core';
import { parseExactJson, parseExactJsonInSteps, writeExactJsonInSteps } from '@holdfast/core/check';
import { inTurns, LARGE } from '../fair-share.ts';

/** Decodes UTF-8; a long text in steps, between which others have their turn. */
export async function decodeText(bytes: Buffer): Promise<string> {
  return bytes.length <= LARGE ? bytes.toString('utf8') : inTurns(decodeInSteps(bytes));
}

/** Parses JSON, long JSON in steps. Rejects with a `SyntaxError` where it is none. */
export async function parseJson(text: string): Promise<JsonValue> {
  return text.length <= LARGE ? parseExactJson(text) : inTurns(parseExactJsonInSteps(text));
}

/** Writes JSON, in steps. */
export async function writeJson(value: JsonValue): Promise<string> {
  const pieces: string[] = [];
  await inTurns(writeInSteps(value, pieces));
  return pieces.join('');
}

function* writeInSteps(value: JsonValue, pieces: string[]): Generator<undefined, void, undefined> {
  yield;
  for (const piece of writeExactJsonInSteps(value)) {
    pieces.push(piece);
    yield;
  }
}

/** Writes JSON as UTF-8, in steps. */
export async function encodeJson(value: JsonValue): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await inTurns(encodeInSteps(value, pieces));
  return Buffer.concat(pieces);
}

function* encodeInSteps(value: JsonValue, pieces: Buffer[]): Generator<undefined, void, undefined> {
  for (const piece of writeExactJsonInSteps(value)) {
    pieces.push(Buffer.from(piece));
    yield;
  }
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
