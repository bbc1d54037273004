import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TOOL_SHAPES } from '../internal/tool-shapes.case.ts';
import type { ToolsInput } from '../types.ts';
import { cutAt, readChunks } from './chunking.case.ts';
import type { Told } from './chunking.case.ts';
import type { ParseOptions } from './parse-options.ts';
import { parseToolCalls } from './parse-tool-calls.ts';

/** Pieces of what models write, put together at random: whole calls, halves of calls, and noise. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<tools>',
      '</tools>',
      '<function>',
      '</function>',
      '<{',
      '}>',
      '[TOOL_CALL]',
      '[/TOOL_CALL]',
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '```',
      '```json\n',
      '\n```\n',
      '\n',
      ' ',
      '<tool_cal',
      '[TOOL_',
      '</tool',
      '<',
      '>',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      "'",
      '\\',
      '\\"',
      '“',
      '”',
      '&quot;',
      ';',
      '(',
      ')',
      '//',
      '/*',
      '*/',
      '#',
      '...',
      '"""',
      '+',
      '=',
      '\u0007',
      'é',
      '😀',
      '\\u26',
      '\\x4',
      '：',
      '，',
      '\t',
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '{"name": "f", "arguments": {"a": 1}}',
      '{"name":"g","arguments":{"s":"x y","l":[1,2]}}',
      '"name"',
      '"arguments"',
      '"a": 1',
      '{"arguments": {"a": 1}, "name": "h", "extra": {"b": 2}}',
      '{"tool_calls": [',
      '{"function_call": {',
      '{"type": "function", "function": {',
      '{"type":"tool_use","id":"t","name":"u","input":{}}',
      '{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}',
      "{'name': 'p', 'arguments': {'on': True}}",
      '{"name": "q", "arguments": {"c": "say "hi" now"}}',
      '{"name":"w","arguments":{"c":"a </tool_call> b"}}',
      '{"name":"e","arguments":{"c":"cut off',
      '[{"name":"f","arguments":{}},{"name":"g","arguments":{}}]',
      '{"name":"d","arguments":{"p":"C:\\dir\\"}}',
      '{\\"name\\": \\"x\\", \\"arguments\\": {}}',
      '"x": ',
      'true',
      'null',
      '12',
      '-',
      'prose and more prose',
      'name": "z"',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
const places = fc.array(fc.nat(), { maxLength: 12 });

function whole(input: string, options: ParseOptions = {}): Omit<Told, 'source' | 'wrongFragments'> {
  const {
    calls,
    text: plain,
    reasoning,
    issues,
  } = parseToolCalls(input, {
    nextId: () => 'id',
    ...options,
  });
  return { calls, text: plain, reasoning, issues };
}

function essence({
  calls,
  text: plain,
  reasoning,
  issues,
}: Told): Omit<Told, 'source' | 'wrongFragments'> {
  return { calls, text: plain, reasoning, issues };
}

describe('the engine', () => {
  const runs = { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 20 };

  test('gives the same result for every chunking', () => {
    fc.assert(
      fc.property(text, places, (input, cuts) => {
        for (const startsInReasoning of ['auto', false, true] as const) {
          const options = { startsInReasoning };
          const expected = whole(input, options);
          expect(essence(readChunks([input], options))).toEqual(expected);
          expect(essence(readChunks(cutAt(input, cuts), options))).toEqual(expected);
          expect(essence(readChunks(input.match(/[\s\S]/g) ?? [], options))).toEqual(expected);
        }
      }),
      runs,
    );
  });

  test('reads a stream as the complete text, or reports where reasoning ended', () => {
    fc.assert(
      fc.property(text, places, (input, cuts) => {
        const streamed = essence(readChunks(cutAt(input, cuts)));
        const isOrphan = streamed.issues.some(({ code }) => code === 'orphan-reasoning-end');
        expect(whole(input, isOrphan ? { startsInReasoning: false } : {})).toEqual(streamed);
      }),
      runs,
    );
  });

  test('gives back every character, as text, reasoning or the source of a call', () => {
    fc.assert(
      fc.property(text, places, (input, cuts) => {
        expect(readChunks(cutAt(input, cuts)).source).toBe(input);
        const held = readChunks(cutAt(input, cuts), { startsInReasoning: 'auto' });
        expect(held.source).toBe(input);
        expect(held.wrongFragments).toEqual([]);
        expect(
          parseToolCalls(input)
            .segments.map(({ raw }) => raw)
            .join(''),
        ).toBe(input);
      }),
      runs,
    );
  });

  test('reads the same whatever shape the tools have', () => {
    const properties = { a: { type: 'string' }, s: { type: 'number' } };
    const offered = ['f', 'g', 'q'].map((name) => ({ name, parameters: { properties } }));
    const read = (input: string, tools: ToolsInput): unknown =>
      parseToolCalls(input, { tools, nextId: () => 'id' });
    const record = Object.fromEntries(offered.map(({ name, ...tool }) => [name, tool]));
    const inShapes: readonly ToolsInput[] = [
      record,
      ...TOOL_SHAPES.map(([, write]) => offered.map(write)),
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...inShapes), (input, tools) => {
        expect(read(input, tools)).toEqual(read(input, offered));
      }),
      runs,
    );
  });

  test('writes in the text of the arguments what the arguments say', () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const { arguments: args, argumentsText } of parseToolCalls(input).calls)
          if (argumentsText !== undefined) expect(JSON.parse(argumentsText)).toEqual(args);
      }),
      runs,
    );
  });

  test('tells fragments that add up to the arguments', () => {
    fc.assert(
      fc.property(text, places, (input, cuts) => {
        expect(readChunks(cutAt(input, cuts)).wrongFragments).toEqual([]);
      }),
      runs,
    );
  });
});

/** What models put calls in, and between them. */
const blocks = fc.constantFrom(
  ['<tool_call>\n', '\n', '\n</tool_call>'],
  ['<tools>[', ', ', ']</tools>'],
  ['<function>', '\n', '</function>'],
  ['[TOOL_CALL]', '\n', '[/TOOL_CALL]'],
  ['<tool_calls>[', ', ', ']</tool_calls>'],
  ['<tool_calls>', '\n', '</tool_calls>'],
  ['<|START_ACTION|>[', ', ', ']<|END_ACTION|>'],
  ['[TOOL_CALLS] [', ', ', ']'],
  ['<|tool_call|>[', ', ', ']'],
  ['functools[', ', ', ']'],
  ['[TOOL_REQUEST]', '\n', '[END_TOOL_REQUEST]'],
);
/** Ways to write a call, whole and broken, with a word to find it by. */
const member = fc.constantFrom<(word: string) => string>(
  (word) => `{"name": "f", "arguments": {"a": "${word}"}}`,
  (word) => `{"name": "f", "arguments": {"a": "${word}"}`,
  (word) => `{"name": "f", "arguments": {"a": "${word}}}`,
  (word) => `{"name": "f", "arguments": {"a": "${word}`,
  (word) => `{"name": "f", "arguments": {"a": ["${word}"}}`,
  (word) => `{"name": "f", "arg": "${word}", oops}`,
  (word) => `{"arguments": {"a": "${word}"}}`,
  (word) => `{"name": "${word}", "arguments": {`,
  (word) => `name": "f", "arguments": {"a": "${word}"}}`,
  (word) => `{"a": "${word}"}`,
  (word) => `${word} and prose`,
);

describe('a block of calls', () => {
  const runs = { numRuns: (fc.readConfigureGlobal().numRuns ?? 100) * 20 };

  test('hides nothing that was not read as a call', () => {
    fc.assert(
      fc.property(
        blocks,
        fc.array(member, { minLength: 1, maxLength: 4 }),
        ([open, between, close], members) => {
          const words = members.map((_, at) => `word${at}`);
          const body = members.map((write, at) => write(`word${at}`)).join(between);
          const input = `${open}${body}${close} after`;
          const { calls, text: plain, issues } = parseToolCalls(input, { nextId: () => 'id' });
          const read = JSON.stringify(calls.map(({ name, arguments: args }) => [name, args]));
          const hidden = words.filter((word) => !plain.includes(word) && !read.includes(word));
          // What a lossy call lost is said by the call.
          const isSilent = issues.length === 0 && calls.every(({ lossy }) => !lossy);
          expect({ input, hidden: isSilent ? hidden : [] }).toEqual({ input, hidden: [] });
          const isMixed = calls.some(({ name, arguments: args, complete, lossy }) => {
            const said = JSON.stringify([name, args]);
            return complete && !lossy && words.filter((word) => said.includes(word)).length > 1;
          });
          expect({ input, isMixed }).toEqual({ input, isMixed: false });
        },
      ),
      runs,
    );
  });
});
