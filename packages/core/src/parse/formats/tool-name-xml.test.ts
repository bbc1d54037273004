import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { allCuts, readChunks } from '../chunking.case.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs } from '../xml/invoke-suite.case.ts';
import { toolNameXml } from './tool-name-xml.ts';

/**
 * Strings stand on lines of their own, which is what line breaks around a value mean. In JSON a `<` is escaped, as
 * it could begin a parameter.
 */
const written = (value: JsonValue): string =>
  typeof value === 'string'
    ? `\n${value}\n`
    : JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
const write = (name: string, args: Readonly<Record<string, JsonValue>>): string =>
  `<${name}>\n${Object.entries(args)
    .map(([key, value]) => `<${key}>${written(value)}</${key}>\n`)
    .join('')}</${name}>`;
const tool = (name: string, properties: JsonObject): ToolDefinition => ({
  name,
  parameters: { type: 'object', properties },
});

describeFormat({
  parser: toolNameXml,
  write,
  isTypedBySchema: true,
  args: namedArgs,
  proseBefore: ['', 'Let me see.\n', 'First\n\nthen\n  '],
  tools: [
    tool('read_file', { path: { type: 'string' } }),
    tool('f', { a: { type: 'string' }, n: { type: 'integer' }, l: { type: 'array' } }),
  ],
  pieces: [
    '\n<f>',
    '</f>',
    '<f/>',
    '<a>',
    '</a>',
    '<n>1</n>',
    '<l>',
    '</l>',
    '<item>x</item>',
    '\n<f><a>x</a><n>',
    '\n<f>a: x\nn: 1\n',
    '\n<read_file>',
  ],
  skips: {
    'text-between': 'a call begins a line',
    'unknown-tool': 'a tag that names no offered tool is no call',
    'missing-end': 'nothing but its own end says that a call is whole',
  },
});

describe('the format tool-name-xml', () => {
  const registry = new ParserRegistry().register(toolNameXml, 50);
  const tools = [
    tool('write_file', { path: { type: 'string' }, content: { type: 'string' } }),
    tool('search', {
      query: { type: 'string' },
      limit: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      place: { type: 'object', properties: { zip: { type: 'integer' }, city: { type: 'string' } } },
    }),
    { name: 'now' },
  ];
  const read = (text: string) => registry.parse(text, { tools });

  test('reads one call after the other, with the text between them', () => {
    const text = `First this.\n${write('search', { query: 'a' })}\nThen\n${write('now', {})}${write('now', {})} and so on`;
    const result = read(text);
    expect(result.calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['search', { query: 'a' }],
      ['now', {}],
      ['now', {}],
    ]);
    expect(result.text).toBe('First this.\n\nThen\n and so on');
  });

  test('reads nothing when no tools were given, or others', () => {
    const text = '<read_file>\n<path>a</path>\n</read_file>';
    expect(registry.parse(text)).toMatchObject({ calls: [], text });
    expect(read(text)).toMatchObject({ calls: [], text });
  });

  test('leaves markup of other documents alone', () => {
    for (const text of [
      '<search>\n<form><input name="q"></form>\n</search>',
      '<search>cars and planes</search>',
      'Use <search><query>x</query></search> for it.',
      '<html>\n<now\n</html>',
    ]) {
      expect(read(text)).toMatchObject({ calls: [], text });
    }
  });

  test('keeps markup in a string, its own too', () => {
    const content =
      '</write_file> <p class="x">a</p>\n<content>inner</content>\n</content> and <path>b</path> end';
    expect(read(write('write_file', { path: 'a.html', content })).calls).toMatchObject([
      { arguments: { path: 'a.html', content }, repairs: [] },
    ]);
  });

  test('reads nested elements, items and repeated elements by the schema', () => {
    const text = [
      '<search>',
      '<tags><item>a</item><item>b</item></tags>',
      '<place><zip>0150</zip><city>Oslo</city></place>',
      '</search>',
      '<search><tags>a</tags><tags>b</tags><limit> 3 </limit></search>',
      '<search><tags>["a", "b"]</tags></search>',
      '<search><tags>a</tags></search>',
    ].join('\n');
    expect(read(text).calls.map(({ arguments: args }) => args)).toEqual([
      { tags: ['a', 'b'], place: { zip: 150, city: 'Oslo' } },
      { tags: ['a', 'b'], limit: 3 },
      { tags: ['a', 'b'] },
      { tags: ['a'] },
    ]);
  });

  test('reads calls without a body, with attributes, with JSON, and with lines of keys', () => {
    const texts = [
      '<now/>',
      '<now />',
      '<search query="a" limit="3"/>',
      '<search>{"query": "a", "limit": 3}</search>',
      "<search>\nquery: a\nlimit: 3\ntags:\n  - x\n  - 'y'\n</search>",
      '<write_file>\npath: "a.py"\ncontent: |\n  def f():\n      return 1\n</write_file>',
    ];
    expect(texts.map((text) => read(text).calls[0]?.arguments)).toEqual([
      {},
      {},
      { query: 'a', limit: 3 },
      { query: 'a', limit: 3 },
      { query: 'a', limit: 3, tags: ['x', 'y'] },
      { path: 'a.py', content: 'def f():\n    return 1\n' },
    ]);
  });

  test('takes closing tags with a space in them, and words between parameters', () => {
    expect(
      read('<search>\n<query>a</ query>\nand\n<limit>3</limit>\n</search >').calls,
    ).toMatchObject([{ arguments: { query: 'a', limit: 3 }, lossy: true }]);
  });

  test.each(['-now', '.now'])('calls %s, however the text is cut', (name) => {
    for (const chunks of allCuts(`<${name}/>`)) {
      const { calls } = readChunks(chunks, { registry, tools: [{ name }] });
      expect(calls, chunks.join(' + ')).toMatchObject([{ name }]);
    }
  });
});
