import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FormatParser } from './format-parser.ts';
import { cutAt, readChunks } from './chunking.case.ts';
import { damagedPairs, expectApart } from './damaged-pair.case.ts';
import { expectLookToAgree } from './look.case.ts';
import { OfferedTools } from './offered-tools.ts';
import type { ParseOptions } from './parse-options.ts';
import { ParserRegistry } from './parser-registry.ts';
import type { JsonObject, JsonValue, ToolDefinition } from '../types.ts';

/** What every format is asked; a format that cannot answer says why. */
export type FormatQuestion =
  | 'round-trip'
  | 'text-between'
  | 'parallel'
  | 'no-arguments'
  | 'unknown-tool'
  | 'nested'
  | 'code'
  | 'digits'
  | 'marker-in-string'
  | 'missing-end'
  | 'cut'
  | 'cut-issue'
  | 'damage'
  | 'flood';

export interface FormatSuite {
  readonly parser: FormatParser;
  /** Writes a call in this format. */
  readonly write: (name: string, args: Args) => string;
  /** Writes several calls in one block, where the format has one. @defaultValue one after the other */
  readonly writeAll?: (calls: readonly (readonly [string, Args])[]) => string;
  /** What stands at the end of a call and may be forgotten where the text ends. */
  readonly endMarker?: string;
  /** Pieces of the format, whole and broken, for random texts. */
  readonly pieces: readonly string[];
  /** Whether values are text that only a schema gives a type: then one is given. @defaultValue false */
  readonly isTypedBySchema?: boolean;
  /** Arguments the format can say. @defaultValue any */
  readonly args?: fc.Arbitrary<Args>;
  /** Tools offered with the sample and with random texts. @defaultValue nobody says */
  readonly tools?: readonly ToolDefinition[];
  /** Text that may stand before a call. @defaultValue any */
  readonly proseBefore?: readonly string[];
  /** Questions that make no sense for the format, each with the reason. */
  readonly skips?: Partial<Record<FormatQuestion, string>>;
}

type Args = Readonly<Record<string, JsonValue>>;

const NESTED: Args = {
  filter: { tags: ['a', 'b'], range: { from: 1, to: 2.5 }, deep: [[{ x: null }], []] },
  on: true,
};
/** A double cannot hold it. */
const DIGITS = '90071992547409931';
const CODE: Args = {
  path: 'src/main.ts',
  content: "if (a < b && c > \"d\") {\n\treturn `x${1}`; // it's\n}\n\nconst s = [1, {k: 'v'}];\n",
};

/** What holds for every format, alone in a registry. */
export function describeFormat(suite: FormatSuite): void {
  const { parser, write, pieces, skips = {} } = suite;
  const writeAll =
    suite.writeAll ?? ((calls) => calls.map(([name, args]) => write(name, args)).join(''));
  const registry = (): ParserRegistry => new ParserRegistry().register(parser, 50);
  const optionsFor = (...calls: readonly (readonly [string, Args])[]): ParseOptions =>
    suite.isTypedBySchema === true
      ? { tools: calls.map(([name, args]) => ({ name, parameters: schemaOf(args) as JsonObject })) }
      : {};
  const offered: ParseOptions = suite.tools === undefined ? {} : { tools: suite.tools };
  const anyArgs =
    suite.args ??
    (fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 4,
    }) as fc.Arbitrary<Args>);
  const args = anyArgs.filter(hasNoBackslashKey);
  const prose = fc.constantFrom(
    ...(suite.proseBefore ?? [
      '',
      'Let me see. ',
      'First\n\nthen ',
      'a < b, {x} and [y]\n',
      'naïve 😀 ',
    ]),
  );
  const after = fc.constantFrom('', ' Done.', '\n\nthen ', ' a < b, {x} and [y]\n', ' 😀');
  const chaos = fc
    .array(fc.oneof(fc.constantFrom(...pieces, ...NOISE), fc.string({ maxLength: 4 })), {
      maxLength: 20,
    })
    .map((all) => all.join(''));
  const places = fc.array(fc.nat(), { maxLength: 10 });
  const runs = { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 3 };
  const ask = (question: FormatQuestion, sentence: string, answer: () => void): void => {
    const reason = skips[question];
    if (reason === undefined) test(sentence, answer);
    else test.skip(`${sentence} (not asked: ${reason})`, answer);
  };
  const readsBack = (name: string, value: Args): void => {
    const { calls, text } = registry().parse(write(name, value), optionsFor([name, value]));
    expect(calls).toMatchObject([{ name, complete: true }]);
    expect(JSON.stringify(calls[0]?.arguments)).toBe(JSON.stringify(value));
    expect(text.trim()).toBe('');
  };

  describe(`the format ${parser.name}`, () => {
    test('reads its own sample', () => {
      expect(registry().parse(parser.sample, offered).calls).toMatchObject([
        { format: parser.name },
      ]);
      expect(parser.canParse(parser.sample)).toBe(true);
      expect(parser.validate(parser.parse(parser.sample) ?? [])).toBe(true);
    });

    ask('round-trip', 'reads back every call it writes, whatever the chunks', () => {
      fc.assert(
        fc.property(args, prose, after, places, (value, before, behind, cuts) => {
          const text = before + write('do_it', value) + behind;
          const options = { ...optionsFor(['do_it', value]), registry: registry() };
          const told = readChunks(cutAt(text, cuts), options);
          expect(told.calls).toMatchObject([
            { name: 'do_it', repairs: [], complete: true, lossy: false },
          ]);
          expect(JSON.stringify(told.calls[0]?.arguments)).toBe(JSON.stringify(value));
          expect(told.text).toBe(before + behind);
          expect(told.wrongFragments).toEqual([]);
        }),
        runs,
      );
    });

    ask('text-between', 'reads several calls, with the text between them', () => {
      const text = `one ${write('a', { n: 1 })} two ${write('b', {})} three`;
      const result = registry().parse(text, optionsFor(['a', { n: 1 }], ['b', {}]));
      expect(result.calls.map(({ name }) => name)).toEqual(['a', 'b']);
      expect(result.text).toBe('one  two  three');
    });

    ask('parallel', 'reads calls that follow one another', () => {
      const calls = [
        ['a', { n: 1 }],
        ['b', {}],
        ['c', { s: 'x' }],
      ] as const;
      const result = registry().parse(writeAll(calls), optionsFor(...calls));
      expect(result.calls.map((call) => [call.name, call.arguments])).toEqual(calls);
      expect(result.text.trim()).toBe('');
    });

    ask('no-arguments', 'reads a call without arguments', () => readsBack('now', {}));
    ask('unknown-tool', 'reads a call of an offered tool, reports one of another', () => {
      const value = { n: 1 };
      const parameters = schemaOf(value) as JsonObject;
      const text = write('do_it', value);
      const toolsNamed = (name: string): ParseOptions => ({ tools: [{ name, parameters }] });
      expect(registry().parse(text, toolsNamed('do_it'))).toMatchObject({
        calls: [{ name: 'do_it', arguments: value }],
        issues: [],
      });
      const other = registry().parse(text, toolsNamed('other'));
      expect(other).toMatchObject({ calls: [], text });
      expect(other.issues.length).toBeGreaterThan(0);
    });

    ask('nested', 'reads nested lists and objects', () => readsBack('query', NESTED));
    ask('code', 'reads source code as it was written', () => readsBack('save', CODE));

    ask('digits', 'keeps every digit of a long integer, or marks the call lossy', () => {
      for (const type of ['integer', 'string', undefined]) {
        if (type === undefined && suite.isTypedBySchema === true) continue;
        const text = write('pay', { to: 424242, path: 'x' }).replaceAll('424242', DIGITS);
        const properties = { to: type === undefined ? {} : { type }, path: { type: 'string' } };
        const tools = [{ name: 'pay', parameters: { type: 'object', properties } }];
        const { calls, issues } = registry().parse(text, type === undefined ? {} : { tools });
        expect(calls).toHaveLength(1);
        const [call] = calls;
        if (call?.argumentsText !== undefined) {
          expect(call.argumentsText).toContain(DIGITS);
          continue;
        }
        expect(call?.arguments['to']).toBe(DIGITS);
        expect(call?.lossy).toBe(type === 'integer');
        const codes = issues.map(({ code, message }) => [code, message.includes('"to"')]);
        expect(codes).toEqual(type === 'integer' ? [['digits-lost', true]] : []);
      }
    });

    ask('marker-in-string', 'reads its own markers inside a string as part of the string', () => {
      const value = { content: `${write('inner', { x: 1 })} and more` };
      const result = registry().parse(write('save', value), optionsFor(['save', value]));
      expect(result.calls).toMatchObject([{ name: 'save', arguments: value, repairs: [] }]);
      expect(result.text).toBe('');
    });

    ask('missing-end', 'accepts that the text ends before the end marker', () => {
      const { endMarker = '' } = suite;
      const whole = write('a', { n: 1 });
      expect(whole.endsWith(endMarker) && endMarker !== '').toBe(true);
      const text = whole.slice(0, whole.length - endMarker.length);
      const { calls } = registry().parse(text, optionsFor(['a', { n: 1 }]));
      expect(calls).toMatchObject([{ name: 'a', arguments: { n: 1 }, complete: true }]);
      expect(calls[0]?.repairs).toContain('missing-end-marker');
    });

    test('gives back every character of any text and never throws', () => {
      fc.assert(
        fc.property(chaos, places, (text, cuts) => {
          const whole = registry().parse(text, { ...offered, nextId: () => 'id' });
          const told = readChunks(cutAt(text, cuts), { ...offered, registry: registry() });
          expect(told.source).toBe(text);
          expect(whole.segments.map(({ raw }) => raw).join('')).toBe(text);
          expect(told.calls).toEqual(whole.calls);
          expect(told.text).toBe(whole.text);
          expect(told.issues).toEqual(whole.issues);
          expect(told.wrongFragments).toEqual([]);
        }),
        runs,
      );
    });

    test('rules out at a look only what a reader declines, and no later', () => {
      const known = [{ name: 'f' }, { name: '-f' }, { name: '.f' }, ...(suite.tools ?? [])];
      const offers = fc.constantFrom(undefined, new OfferedTools(known));
      fc.assert(
        fc.property(chaos, offers, (text, tools) => {
          for (const format of parser.formats)
            for (const opening of format.openings) expectLookToAgree(format, opening, text, tools);
        }),
        runs,
      );
    });

    ask('cut', 'runs no call that the text ends in', () => {
      const value = { path: '/srv/data', force: true };
      const text = write('rm', value);
      for (let cut = 1; cut < text.length; cut++) {
        const { calls } = registry().parse(text.slice(0, cut), optionsFor(['rm', value]));
        for (const call of calls) expect(call.arguments, `cut at ${cut}`).toEqual(value);
      }
    });

    ask('cut-issue', 'reports every call that the text ends in after its first value began', () => {
      const value = { path: '/srv/data', force: true };
      const text = write('remove', value);
      const options = { tools: [{ name: 'remove' }], ...optionsFor(['remove', value]) };
      const silent: string[] = [];
      const begun = text.indexOf('/srv') + 1;
      for (let cut = begun; cut < text.length; cut++) {
        const { calls, issues } = registry().parse(text.slice(0, cut), options);
        if (calls.length === 0 && issues.length === 0) silent.push(text.slice(0, cut));
      }
      expect(silent).toEqual([]);
    });

    ask('damage', 'never makes one call to run of two when the first is damaged', () => {
      fc.assert(
        fc.property(damagedPairs(writeAll), places, (pair, cuts) => {
          const options = optionsFor(...pair.calls);
          const result = registry().parse(pair.text, { ...options, nextId: () => 'id' });
          expectApart(pair, result);
          const told = readChunks(cutAt(pair.text, cuts), { ...options, registry: registry() });
          expect(told.calls).toEqual(result.calls);
          expect(told.issues).toEqual(result.issues);
          expect(told.source).toBe(pair.text);
        }),
        runs,
      );
    });

    ask('flood', 'reads a flood of its openings in time that grows with the text', () => {
      for (const piece of pieces) {
        const flood = piece.repeat(Math.ceil(200_000 / piece.length));
        const started = performance.now();
        expect(
          registry()
            .parse(flood, offered)
            .segments.map(({ raw }) => raw)
            .join('').length,
        ).toBe(flood.length);
        expect(performance.now() - started, `a flood of ${piece}`).toBeLessThan(2_000);
      }
    });
  });
}

/**
 * V8 15.0 takes every key that is one escape for a key that was a backslash in an object parsed before:
 * what native parsing makes of them depends on what it has seen.
 */
function hasNoBackslashKey(args: Args): boolean {
  return !JSON.stringify(args).includes('"\\\\":');
}

/** The schema that says exactly what `value` is. */
function schemaOf(value: JsonValue): JsonValue {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    return { type: 'array', prefixItems: value.map(schemaOf) };
  }
  if (typeof value !== 'object') return { type: typeof value };
  const entries = Object.entries(value).map(([key, member]) => [key, schemaOf(member)] as const);
  return { type: 'object', properties: Object.fromEntries(entries) };
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
  '-f',
  '.f',
  'é',
  '😀',
];
