import { createDefaultRegistry, defineFormat } from '@holdfast/core/parse';
import { describe, expect, it } from 'vitest';
import { standardChunkings } from '../scripts/conformance/chunkings.ts';
import { firstDifference, readStreamed, readWhole } from '../scripts/conformance/reading.ts';
import type { Reading, ReadOptions } from '../scripts/conformance/reading.ts';
import { caseNames, corpusFolders, readCase } from './support/corpus.ts';
import type { CorpusCase, Expectation } from './support/corpus.ts';

/** The formats a user might add; the texts in `corpus/custom/` are written in them. */
const custom = [
  defineFormat({ name: 'double-angle', open: '<<call>>', close: '<</call>>' }),
  defineFormat({
    name: 'run-line',
    open: '$run ',
    close: '$end',
    body: (body) => {
      const [name = '', ...pairs] = body.trim().split(' ');
      if (name === '') return null;
      const entries = pairs
        .map((pair) => pair.split('='))
        .map(([key = '', value = '']) => [key, value] as const);
      return { name, arguments: Object.fromEntries(entries) };
    },
  }),
];
const registry = createDefaultRegistry({ custom });

const folders = corpusFolders();
const cases = folders.flatMap((folder) =>
  caseNames(folder, '.txt').map((name) => readCase(folder, name)),
);

function optionsOf({ expected }: CorpusCase): ReadOptions {
  return { ...expected.options, registry };
}

/** The parts of a reading that a case speaks of, in its own words. */
function inWordsOf(expected: Expectation, { calls, text, reasoning, issues }: Reading) {
  return {
    text,
    reasoning,
    calls: calls.map(({ id, format: _format, lossy, argumentsText: _text, ...call }, at) => ({
      ...call,
      ...(expected.calls[at]?.id === undefined ? {} : { id }),
      ...(expected.calls[at]?.lossy === undefined ? {} : { lossy }),
    })),
    issues: issues.map(({ code }) => code),
    formats: [...new Set(calls.map(({ format }) => format))],
  };
}

function withDefaults({ text, reasoning = '', calls, issues = [], formats = [] }: Expectation) {
  const all = calls.map((call) => ({ repairs: [], complete: true, ...call }));
  return { text, reasoning, calls: all, issues, formats };
}

describe('the corpus', () => {
  it.each(folders)('has an expectation beside every text of %s', (folder) => {
    expect(caseNames(folder, '.json')).toEqual(caseNames(folder, '.txt'));
  });

  it.each(cases)('$name means what it says', (one) => {
    const whole = readWhole(one.input, optionsOf(one));
    expect(inWordsOf(one.expected, whole)).toEqual(withDefaults(one.expected));
    for (const { arguments: args, argumentsText } of whole.calls)
      if (argumentsText !== undefined) expect(JSON.parse(argumentsText)).toEqual(args);
  });

  it.each(cases)('$name means the same in every chunking, and its events add up', (one) => {
    const whole = readWhole(one.input, optionsOf(one));
    for (const seed of [1, 2, 3]) {
      for (const { name, chunks } of standardChunkings(one.input, [1, 2, 3, 7], seed)) {
        const streamed = readStreamed(chunks, optionsOf(one));
        expect(streamed.faults, name).toEqual([]);
        const part = firstDifference(whole, streamed);
        expect(part && { [part]: streamed[part] }, name).toEqual(part && { [part]: whole[part] });
      }
    }
  });
});
