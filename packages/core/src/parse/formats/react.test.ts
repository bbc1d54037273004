import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import type { ParseOptions } from '../parse-options.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { ParseResult } from '../parse-result.ts';
import { react } from './react.ts';

describeFormat({
  parser: react,
  write: (name, args) => `Action: ${name}\nAction Input: ${JSON.stringify(args)}`,
  writeAll: (calls) =>
    calls
      .map(([name, args]) => `Action: ${name}\nAction Input: ${JSON.stringify(args)}`)
      .join('\n'),
  proseBefore: ['', 'Thought: so.\n', 'a < b, {x} and [y]\n\n'],
  pieces: [
    'Action:',
    'Action: f\n',
    'Action Input:',
    'Action Input: {',
    '\nAction: f\nAction Input: {"a":',
    '\nObservation: ',
    '```json\n',
  ],
  skips: {
    'text-between': 'an action begins a line',
    'missing-end': 'the brace is the end',
  },
});

const read = (text: string, options: ParseOptions = {}): ParseResult =>
  new ParserRegistry().register(react, 50).parse(text, options);

const tools = [
  { name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } } } },
  {
    name: 'sleep',
    parameters: {
      type: 'object',
      properties: { hours: { type: 'integer' }, where: { type: 'string' } },
      required: ['hours'],
    },
  },
  { name: 'add', parameters: { type: 'object', properties: { a: {}, b: {} } } },
];

describe('an action', () => {
  test('leaves thoughts in the text', () => {
    const text = 'Thought: look.\nAction: `ls`\nAction Input: {"path": "."}\nThought: wait.';
    expect(read(text)).toMatchObject({
      text: 'Thought: look.\n\nThought: wait.',
      calls: [{ name: 'ls', arguments: { path: '.' }, repairs: [] }],
    });
  });

  test('is text where the model wrote the observation itself', () => {
    const text = 'Action: ls\nAction Input: {"path": "."}\n\nObservation: a.txt';
    expect(read(text)).toMatchObject({ text, calls: [], issues: [{ code: 'quoted-call' }] });
  });

  test('may have its input in a fence, or broken', () => {
    const text = "Action: ls\nAction Input:\n```json\n{'path': '.',}\n```\nThen.";
    expect(read(text)).toMatchObject({
      text: '\nThen.',
      calls: [{ arguments: { path: '.' }, repairs: ['single-quotes', 'trailing-comma'] }],
    });
  });

  test('may have text as its input, where the tool needs one thing only', () => {
    const text = 'Action: search\nAction Input: tide tables\nof Brest\nThought: wait';
    expect(read(text, { tools })).toMatchObject({
      text: '\nThought: wait',
      calls: [{ name: 'search', arguments: { query: 'tide tables\nof Brest' }, lossy: false }],
    });
    expect(read('Action: sleep\nAction Input: 8', { tools }).calls).toMatchObject([
      { name: 'sleep', arguments: { hours: 8 }, lossy: true },
    ]);
  });

  test.each([
    'Action: search\nAction Input: tides',
    'Action: none needed\nAction Input: {}',
    'Action: stop\nI am done.',
    'The next Action: ls\nAction Input: {}',
    'Action:\n```json\n[{"tool_name": "ls", "parameters": {}}]\n```',
    'Action: ls\nAction Input: {"path": ',
  ])('is not %j', (text) => {
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  test('with text for a tool that needs two things stays text', () => {
    const text = 'Action: add\nAction Input: 1 and 2';
    expect(read(text, { tools })).toMatchObject({ text, calls: [] });
  });
});
