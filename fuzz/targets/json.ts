import { createRequire } from 'node:module';
import { parseJson } from '@holdfast/core/parse';
import { cutRandomly } from '../../scripts/conformance/chunkings.ts';
import { JsonReader } from '../../packages/core/src/parse/json/json-reader.ts';
import { minifyJson } from '../../packages/core/src/parse/json/minify-json.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { corpusTexts } from './corpus-texts.ts';
import { expectJson } from './json-value.ts';

const MAX_DEPTH = 128;
const END_MARKERS = ['', '', '</tool_call>', '```'] as const;

const counts = {
  'valid documents': 0,
  'jsonrepair changed a valid document': 0,
  'jsonrepair threw on a valid document': 0,
};

/** The tolerant JSON reader, against `JSON.parse` and jsonrepair where the text is valid. */
export const jsonTarget: FuzzTarget = {
  name: 'json',
  counts,
  seeds: [...corpusTexts('json'), ...documents()].map((text) => ({ text, choice: 0 })),
  words: ['true', 'null', '"a"', '": ', '\\u', '\\ud83d', '1e', '0x', '"""', '...', 'None', '```'],
  sources: ['packages/core/src/parse/json'],
  run: ({ text, choice }) => {
    const choices = new Choices(choice);
    const expect = choices.of('value', 'call');
    const maxDepth = choices.below(4) === 3 ? 3 : MAX_DEPTH;
    const result = parseJson(text, { expect, maxDepth });
    if (result.ok) expectJson(result.value);
    const native = readNatively(text);
    if (native !== undefined && expect === 'value' && maxDepth === MAX_DEPTH) {
      const wanted = { ok: true, value: native.value, repairs: [], complete: true, lossy: false };
      expectSame(
        'valid JSON is read as JSON.parse reads it',
        JSON.stringify(result),
        JSON.stringify(wanted),
      );
      expectSame(
        'JSON without its space says the same',
        JSON.stringify(JSON.parse(minifyJson(text))),
        JSON.stringify(native.value),
      );
      compareWithJsonrepair(text, native.value);
    }
    const endMarker = END_MARKERS[choices.below(END_MARKERS.length)] ?? '';
    const whole = readIn([text], maxDepth, endMarker);
    const drip = choices.flag() ? text.split('') : cutRandomly(text, choices.rest);
    expectSame(
      'every chunking gives the same document',
      JSON.stringify(readIn(drip, maxDepth, endMarker)),
      JSON.stringify(whole),
    );
  },
  readOnce: (text) => {
    const { ok } = parseJson(text);
    expectTrue('it says whether it could be read', typeof ok === 'boolean', () => String(ok));
  },
};

/** Texts of every kind of value. */
function documents(): string[] {
  const value = { a: [1, -2.5e-3, true, null, 'é😀\n"\\/'], b: { '': {}, ' ': [] }, __proto__: 1 };
  return [
    JSON.stringify(value),
    JSON.stringify(value, undefined, 2),
    '"text"',
    '-0',
    '[[[]]]',
    '{"a": "say "hi" now", b: \'c\',}',
  ];
}

function readNatively(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function readIn(chunks: readonly string[], maxDepth: number, endMarker: string): unknown {
  const reader = new JsonReader(endMarker === '' ? { maxDepth } : { maxDepth, endMarker });
  let status = 'more';
  for (const chunk of chunks) {
    status = reader.read(chunk);
    if (status !== 'more') break;
  }
  if (status === 'more') status = reader.end();
  const { value, repairs, complete, lossy, failure, failedAt, endOffset } = reader;
  if (status === 'failed') return { failure, failedAt };
  expectJson(value);
  return { value, repairs, complete, lossy, endOffset };
}

type Jsonrepair = (text: string) => string;

/** It is installed beside us by run.mjs; the short run in the tests does without. */
const jsonrepair: Jsonrepair | undefined = (() => {
  try {
    const { jsonrepair: repair } = createRequire(import.meta.url)('jsonrepair') as {
      readonly jsonrepair: Jsonrepair;
    };
    return repair;
  } catch {
    return undefined;
  }
})();

/** What is valid needs no repair: where jsonrepair makes something else of it, that is counted. */
function compareWithJsonrepair(text: string, value: unknown): void {
  if (jsonrepair === undefined) return;
  counts['valid documents']++;
  try {
    const repaired: unknown = JSON.parse(jsonrepair(text));
    const isSame = JSON.stringify(repaired) === JSON.stringify(value);
    if (!isSame) counts['jsonrepair changed a valid document']++;
  } catch {
    counts['jsonrepair threw on a valid document']++;
  }
}
