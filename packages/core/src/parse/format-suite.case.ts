import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FormatParser } from './format-parser.ts';
import { cutAt, readChunks } from './chunking.case.ts';
import { ParserRegistry } from './parser-registry.ts';

export interface FormatSuite {
  readonly parser: FormatParser;
  /** Writes a call in this format. */
  readonly write: (name: string, args: Readonly<Record<string, unknown>>) => string;
  /** Pieces of the format, whole and broken, for random texts. */
  readonly pieces: readonly string[];
}

/** What holds for every format, alone in a registry. */
export function describeFormat({ parser, write, pieces }: FormatSuite): void {
  const registry = (): ParserRegistry => new ParserRegistry().register(parser, 50);
  const args = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  });
  const prose = fc.constantFrom(
    '',
    'Let me see. ',
    'First\n\nthen ',
    'a < b, {x} and [y]\n',
    'naïve 😀 ',
  );
  const chaos = fc
    .array(fc.oneof(fc.constantFrom(...pieces, ...NOISE), fc.string({ maxLength: 4 })), {
      maxLength: 20,
    })
    .map((all) => all.join(''));
  const places = fc.array(fc.nat(), { maxLength: 10 });
  const runs = { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 3 };

  describe(`the format ${parser.name}`, () => {
    test('reads its own sample', () => {
      expect(registry().parse(parser.sample).calls).toMatchObject([{ format: parser.name }]);
      expect(parser.canParse(parser.sample)).toBe(true);
      expect(parser.validate(parser.parse(parser.sample) ?? [])).toBe(true);
    });

    test('reads back every call it writes, with the text around it, whatever the chunks', () => {
      fc.assert(
        fc.property(args, prose, prose, places, (value, before, after, cuts) => {
          const call = write('do_it', value);
          const told = readChunks(cutAt(before + call + after, cuts), { registry: registry() });
          expect(told.calls).toMatchObject([
            { name: 'do_it', repairs: [], complete: true, lossy: false },
          ]);
          expect(JSON.stringify(told.calls[0]?.arguments)).toBe(JSON.stringify(value));
          expect(told.text).toBe(before + after);
          expect(told.wrongFragments).toEqual([]);
        }),
        runs,
      );
    });

    test('reads several calls, with the text between them', () => {
      const text = `one ${write('a', { n: 1 })} two ${write('b', {})} three`;
      const result = registry().parse(text);
      expect(result.calls.map(({ name }) => name)).toEqual(['a', 'b']);
      expect(result.text).toBe('one  two  three');
    });

    test('reads its own markers inside a string as part of the string', () => {
      const text = write('save', { content: `${write('inner', { x: 1 })} and more` });
      const result = registry().parse(text);
      expect(result.calls).toMatchObject([{ name: 'save', repairs: [] }]);
      expect(result.text).toBe('');
    });

    test('gives back every character of any text and never throws', () => {
      fc.assert(
        fc.property(chaos, places, (text, cuts) => {
          const whole = registry().parse(text, { nextId: () => 'id' });
          const told = readChunks(cutAt(text, cuts), { registry: registry() });
          expect(told.source).toBe(text);
          expect(whole.segments.map(({ raw }) => raw).join('')).toBe(text);
          expect(told.calls).toEqual(whole.calls);
          expect(told.text).toBe(whole.text);
          expect(told.issues).toEqual(whole.issues);
        }),
        runs,
      );
    });

    test('runs no call that the text ends in', () => {
      const text = write('rm', { path: '/srv/data', force: true });
      for (let cut = 1; cut < text.length; cut++) {
        for (const call of registry().parse(text.slice(0, cut)).calls) {
          expect(call.arguments, `cut at ${cut}`).toEqual({ path: '/srv/data', force: true });
        }
      }
    });

    test('reads a flood of its openings in time that grows with the text', () => {
      for (const piece of pieces) {
        const flood = piece.repeat(Math.ceil(200_000 / piece.length));
        const started = performance.now();
        expect(
          registry()
            .parse(flood)
            .segments.map(({ raw }) => raw)
            .join('').length,
        ).toBe(flood.length);
        expect(performance.now() - started, `a flood of ${piece}`).toBeLessThan(2_000);
      }
    });
  });
}

const NOISE = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '\\',
  ',',
  ':',
  '<',
  '>',
  '\n',
  ' ',
  '`',
  '```json\n',
  '{"name": "f", "arguments": {"a": 1}}',
  'true',
  '1',
  'é',
  '😀',
];
