import { describe, expect, test } from 'vitest';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs } from '../xml/invoke-suite.case.ts';
import { minimaxM3 } from './minimax-m3.ts';

type Args = Readonly<Record<string, JsonValue>>;

const MARK = ']<]minimax[>[';

function element(name: string, value: JsonValue): string {
  return `${MARK}<${name}>${content(value)}${MARK}</${name}>`;
}

function content(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0)
    return value.map((item: JsonValue) => element('item', item)).join('');
  const isNamed = (key: string): boolean => /^[a-z]\w*$/i.test(key);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as Args);
  if (entries.length === 0 || !entries.every(([key]) => isNamed(key))) return JSON.stringify(value);
  return entries.map(([key, member]) => element(key, member)).join('');
}

const call = (name: string, args: Args): string =>
  `${MARK}<invoke name="${name}">${Object.entries(args)
    .map(([key, value]) => element(key, value))
    .join('')}${MARK}</invoke>\n`;
const block = (calls: string): string => `${MARK}<tool_call>\n${calls}${MARK}</tool_call>`;

describeFormat({
  parser: minimaxM3,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: `${MARK}</tool_call>`,
  isTypedBySchema: true,
  args: namedArgs,
  pieces: [
    MARK,
    `${MARK}<tool_call>`,
    `${MARK}</tool_call>`,
    `${MARK}<invoke name="f">`,
    `${MARK}</invoke>`,
    `${MARK}<a>`,
    `${MARK}</a>`,
    `${MARK}<a>1${MARK}</a>`,
    `${MARK}<item>`,
    `${MARK}<tool_call>${MARK}<invoke name="f">${MARK}<a>`,
    `${MARK}</wrong>`,
    ']<]mini',
  ],
  skips: {
    damage: 'any tag may be a nested element, so a damaged tag changes what the others mean',
  },
});

describe('the format minimax-m3', () => {
  const registry = new ParserRegistry().register(minimaxM3, 50);
  const tool = (properties: Args): ToolDefinition => ({ name: 'f', parameters: { properties } });
  const read = (calls: string, ...tools: readonly ToolDefinition[]) =>
    registry.parse(block(calls), tools.length === 0 ? {} : { tools });

  test('makes lists of repeated elements and of items, and objects of others', () => {
    const text = call('f', {}).replace(
      `${MARK}</invoke>`,
      `${element('tags', ['a', 'b'])}${MARK}<o>${element('k', '1')}${element('k', '2')}${element('x', '3')}${MARK}</o>${MARK}</invoke>`,
    );
    expect(read(text).calls).toMatchObject([
      { arguments: { tags: ['a', 'b'], o: { k: ['1', '2'], x: '3' } } },
    ]);
  });

  test('gives what is nested the types of the schema, through references and alternatives', () => {
    const place = { type: 'object', properties: { zip: { type: 'integer' } } };
    const parameters = {
      properties: {
        place: { $ref: '#/$defs/place' },
        counts: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
        extra: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
      $defs: { place },
    };
    const args = { place: { zip: 1 }, counts: [1, 2], extra: { on: true } };
    expect(read(call('f', args), { name: 'f', parameters }).calls).toMatchObject([
      { arguments: args, repairs: [] },
    ]);
  });

  test('reads any elements in a list as its items', () => {
    const text = `${MARK}<invoke name="f">${MARK}<l>${element('x', '1')}${element('y', '2')}${MARK}</l>${MARK}</invoke>`;
    const list = tool({ l: { type: 'array', items: { type: 'integer' } } });
    expect(read(text, list).calls).toMatchObject([{ arguments: { l: [1, 2] } }]);
  });

  test('keeps text between elements', () => {
    const text = `${MARK}<invoke name="f">${MARK}<o>before ${element('k', 'v')} after${MARK}</o>${MARK}</invoke>`;
    expect(read(text).calls).toMatchObject([
      { arguments: { o: { k: 'v', $text: 'before  after' } } },
    ]);
  });

  test('keeps elements in a string as they were written', () => {
    const inner = `<b>bold</b> ${MARK} <i>italic${MARK}</i>`;
    const text = `${MARK}<invoke name="f">${MARK}<s>${inner}${MARK}</s>${MARK}</invoke>`;
    expect(read(text, tool({ s: { type: 'string' } })).calls).toMatchObject([
      { arguments: { s: inner } },
    ]);
  });

  test('takes the end of what is around for the end of an element', () => {
    const text = `${MARK}<invoke name="f">${MARK}<l>${MARK}<item>a${MARK}</l>${MARK}<n>1${MARK}</invoke>`;
    expect(read(text).calls).toMatchObject([
      { arguments: { l: ['a'], n: '1' }, repairs: ['missing-end-marker'] },
    ]);
  });

  test('leaves as text what closes something that is not open', () => {
    const text = `${MARK}<invoke name="f">${MARK}<city>Oslo${MARK}</wrong>${MARK}</invoke>`;
    expect(read(text)).toMatchObject({ calls: [], text: block(text) });
  });
});
