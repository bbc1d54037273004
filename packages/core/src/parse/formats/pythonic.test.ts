import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from '../chunking.case.ts';
import { describeFormat } from '../format-suite.case.ts';
import type { ParseOptions } from '../parse-options.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { ParseResult } from '../parse-result.ts';
import { pythonArguments, writtenCall } from '../pythonic/written-python.case.ts';
import { pythonic } from './pythonic.ts';

describeFormat({
  parser: pythonic,
  write: (name, args) => `[${writtenCall(name, args)}]`,
  writeAll: (calls) => `[${calls.map(([name, args]) => writtenCall(name, args)).join(', ')}]`,
  args: pythonArguments,
  // Amid a line only known tools are believed.
  isTypedBySchema: true,
  pieces: [
    '[',
    '[f(',
    '[f()]',
    'f(a=1)',
    'a=',
    "'x'",
    '"""',
    '[f(a=[1, {',
    ')]',
    '#',
    "[f(a='",
    '<|python_start|>',
    '<|python_end|>',
    "<|python_start|>[f(a='b 'c' ",
  ],
  skips: {
    'missing-end': 'the bracket is all that shows where the list ends',
    'unknown-tool': 'a list without markup names an offered tool, or it is no call',
  },
});

const tools = [
  {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
];

const registry = (): ParserRegistry => new ParserRegistry().register(pythonic, 50);

const read = (text: string, options: ParseOptions = {}): ParseResult =>
  registry().parse(text, options);

describe('a list of calls', () => {
  test('is one at the start of a line, whatever stands around it', () => {
    const text = 'Let me see.\n\n[a(x=1),\n b()]\n\nDone.';
    expect(read(text)).toMatchObject({
      text: 'Let me see.\n\n\n\nDone.',
      calls: [{ name: 'a', arguments: { x: 1 } }, { name: 'b' }],
    });
  });

  test('is none where a comment follows the bracket, however the text arrives', () => {
    const text = '[# see #12\nget_weather(city=1';
    const options = { tools, nextId: () => 'id' };
    const told = readChunks(Array.from(text), { ...options, registry: registry() });
    expect(told.issues).toEqual(read(text, options).issues);
    expect(told).toMatchObject({ text, calls: [], issues: [] });
  });

  test('is one amid a line only of tools that were offered', () => {
    const text = "Here: [get_weather(city='Oslo')] and [get_weather(city='Rome')]";
    expect(read(text)).toMatchObject({ text, calls: [] });
    expect(read(text, { tools })).toMatchObject({
      text: 'Here:  and ',
      calls: [{ arguments: { city: 'Oslo' } }, { arguments: { city: 'Rome' } }],
    });
  });

  test('of other tools than those offered stays text', () => {
    expect(read('[solve(x=1)]', { tools })).toMatchObject({ text: '[solve(x=1)]', calls: [] });
  });

  test.each([
    ["[find_city(name='Oslo', exact=True)]", 'unknown-tool'],
    ['[find_city(name="Oslo"), find_road(to="Oslo")]\n', 'unknown-tool'],
    ['[find_city(name="Oslo"), get_weather(city="Oslo")]', 'unreadable-call'],
    ['[get_weather(city="Oslo"), find_city(name="Oslo")]', 'unreadable-call'],
  ])('of other tools is reported where it is the whole message: %j', (text, code) => {
    const issues = [{ code, offset: 0 }];
    expect(read(text, { tools })).toMatchObject({ text, calls: [], issues });
    for (const chunks of allCuts(text)) {
      const told = readChunks(chunks, { tools, registry: registry() });
      expect(told).toMatchObject({ text, calls: [], issues });
    }
  });

  test.each([
    "[find_city(name='Oslo')] is how it is done.",
    "So:\n[find_city(name='Oslo')]",
    '[see()]',
  ])('of other tools is not reported where it may be an example: %j', (text) => {
    expect(read(text, { tools })).toMatchObject({ text, calls: [], issues: [] });
  });

  test('whose first value is none is reported at the start of a message, not as an example', () => {
    const failed = '[get_weather(place)]';
    expect(read(failed, { tools })).toMatchObject({
      text: failed,
      issues: [{ code: 'unreadable-call', message: '[: the value "place" is no literal' }],
    });
    const example = 'Write [get_weather(place)] for it.';
    expect(read(example, { tools })).toMatchObject({ text: example, issues: [] });
  });

  test.each([
    '[text](https://example.org)',
    '[run()](#run)',
    '[run()][1]',
    '[run()]: https://example.org',
    '[run()] if x else []',
    '[run(x=1)].map(y)',
    '[img-0]',
    '[x](y)',
    '[Smith(2020)]',
    '[f(x) for x in xs]',
    '[f(a=1), g]',
    '[f(a=b)]',
    '[f(a=1)',
    'see [f(a=1)]',
    '`[f(a=1)]`',
    '[]',
  ])('is not %s', (text) => {
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  test('is not one in backticks, known tool or not', () => {
    const text = "Write `[get_weather(city='Oslo')]` for it.";
    expect(read(text, { tools })).toMatchObject({ text, calls: [] });
  });

  test('that the text ends in keeps its whole calls, of known tools', () => {
    const text = "[get_weather(city='Oslo'), get_weather(city='Ro";
    expect(read(text, { tools })).toMatchObject({
      text: ", get_weather(city='Ro",
      calls: [{ arguments: { city: 'Oslo' } }],
    });
    expect(read('[a(x=1), b(y=')).toMatchObject({ issues: [{ code: 'incomplete-call' }] });
  });
});

describe('python_start', () => {
  test('begins a list, and python_end need not end it', () => {
    expect(read('So <|python_start|>[a(x=1)]<|python_end|> and')).toMatchObject({
      text: 'So  and',
      calls: [{ name: 'a', repairs: [] }],
    });
    expect(read('<|python_start|>[a(x=1), b()]').calls).toMatchObject([
      { name: 'a' },
      { name: 'b', repairs: ['missing-end-marker'] },
    ]);
  });

  test.each([
    ['<|python_start|>[a(x=1)]', ''],
    ['<|python_start|>[a(x=1)] Done.', ' Done.'],
    ['<|python_start|>```python\n[a(x=1)]\n```\nDone.', '\nDone.'],
    ['<|python_start|>```python\n[a(x=1)]\nDone.', '\nDone.'],
    ['<|python_start|>a(x=1)\nDone.', '\nDone.'],
    // The end of a string with quotes in it is looked for in all that follows.
    [`<|python_start|>[a(x='b 'c' d')] Done.`, ' Done.'],
    [`<|python_start|>a(x='b 'c' d') Done.`, ' Done.'],
    [`<|python_start|>[a(x='b 'c' d')] Done.<|python_end|>`, ' Done.<|python_end|>'],
  ])('takes %j to the end of its calls and no further, however it arrives', (written, text) => {
    const whole = read(written);
    expect(whole).toMatchObject({ text, calls: [{ name: 'a' }] });
    for (const chunks of allCuts(written)) {
      const told = readChunks(chunks, { registry: registry() });
      expect(told).toMatchObject({ text, calls: [{ name: 'a' }], source: written });
    }
  });
});
