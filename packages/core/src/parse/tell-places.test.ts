import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allCuts, cutAt, readChunks } from './chunking.case.ts';
import { createDefaultRegistry } from './default-registry.ts';
import type { ParserRegistry } from './parser-registry.ts';
import type { ParsedCall, ToolParser } from './tool-parser.ts';

/** Reads `RUN name;`, as often as it is written. */
const runs: ToolParser = {
  name: 'runs',
  openings: ['RUN '],
  canParse: (text) => text.includes('RUN '),
  parse(text) {
    const found = text.matchAll(/RUN ([a-z]{1,20});/g);
    const calls = Array.from(found, ([raw, name = '']): ParsedCall => ({
      name,
      arguments: {},
      raw,
    }));
    return calls.length === 0 ? null : calls;
  },
  validate: () => true,
};

const withOpenings = (): ParserRegistry => createDefaultRegistry().register(runs, 35);
const withoutOpenings = (): ParserRegistry =>
  createDefaultRegistry().register({ ...runs, openings: [] }, 35);

describe.each([
  ['with openings', withOpenings],
  ['without openings', withoutOpenings],
])('a plugin %s', (_, createRegistry) => {
  test('leaves what stands before, between and behind its calls in the text, however it arrives', () => {
    const text = 'One RUN away, RUN ls; then RUN pwd;RUN id; and RUN off.';
    const expected = {
      text: 'One RUN away,  then  and RUN off.',
      calls: [{ name: 'ls' }, { name: 'pwd' }, { name: 'id' }],
    };
    const { segments, ...result } = createRegistry().parse(text);
    expect(result).toMatchObject(expected);
    expect(segments.map(({ type, raw }) => [type, raw])).toEqual([
      ['text', 'One RUN away, '],
      ['calls', 'RUN ls;'],
      ['text', ' then '],
      ['calls', 'RUN pwd;'],
      ['calls', 'RUN id;'],
      ['text', ' and RUN off.'],
    ]);
    for (const chunks of allCuts(text)) {
      const told = readChunks(chunks, { registry: createRegistry() });
      expect(told).toMatchObject({ ...expected, source: text, wrongFragments: [] });
    }
  });

  test('leaves calls that do not count in the text, and says so', () => {
    const text = 'a RUN ls; b RUN rm; c RUN pwd; d RUN dd;';
    const tools = [{ name: 'ls' }, { name: 'pwd' }];
    const options = { tools, unknownTool: 'text' } as const;
    const result = createRegistry().parse(text, options);
    const expected = {
      text: 'a  b RUN rm; c  d RUN dd;',
      calls: [{ name: 'ls' }, { name: 'pwd' }],
    };
    expect(result).toMatchObject(expected);
    expect(result.issues.map(({ code }) => code)).toEqual(['unknown-tool', 'unknown-tool']);
    const told = readChunks(text.split(''), { ...options, registry: createRegistry() });
    expect(told).toMatchObject({ ...expected, source: text });
    expect(told.issues).toEqual(result.issues);
  });

  test('gives back every character that is no call, in order', () => {
    const call = fc.stringMatching(/^[a-z]{1,8}$/).map((name) => ({ name, raw: `RUN ${name};` }));
    // What could begin something of another format is not its text to give back.
    const prose = fc
      .string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\n', ';', 'RUN ', 'RU', 'RUN A;') })
      .map((raw) => ({ name: undefined, raw }));
    const parts = fc.array(fc.oneof(call, prose), { maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.array(fc.nat()), (written, cuts) => {
        const source = written.map(({ raw }) => raw).join('');
        const names = [...source.matchAll(/RUN ([a-z]{1,20});/g)].map(([, name]) => name);
        const text = source.replaceAll(/RUN [a-z]{1,20};/g, '');
        const whole = createRegistry().parse(source);
        const told = readChunks(cutAt(source, cuts), { registry: createRegistry() });
        for (const read of [whole, told]) {
          expect(read.text).toBe(text);
          expect(read.calls.map(({ name }) => name)).toEqual(names);
        }
        expect(whole.segments.map(({ raw }) => raw).join('')).toBe(source);
        expect(told.source).toBe(source);
        expect(told.wrongFragments).toEqual([]);
      }),
    );
  });
});

describe('several calls that a plugin writes as one', () => {
  test('are told in one place', () => {
    const pairs: ToolParser = {
      name: 'pairs',
      openings: ['BOTH '],
      canParse: () => true,
      parse: () => [
        { name: 'a', arguments: {}, raw: 'BOTH a b.' },
        { name: 'b', arguments: {}, raw: 'BOTH a b.' },
      ],
      validate: () => true,
    };
    const registry = createDefaultRegistry().register(pairs, 35);
    const text = 'So: BOTH a b. Done.';
    const expected = { text: 'So:  Done.', calls: [{ name: 'a' }, { name: 'b' }] };
    expect(registry.parse(text)).toMatchObject(expected);
    expect(readChunks(text.split(''), { registry })).toMatchObject({ ...expected, source: text });
  });
});
