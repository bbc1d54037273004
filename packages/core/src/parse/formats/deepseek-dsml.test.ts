import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from '../chunking.case.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { namedArgs, written } from '../xml/invoke-suite.case.ts';
import { deepseekDsml } from './deepseek-dsml.ts';

type Args = Readonly<Record<string, JsonValue>>;

const parameter = (key: string, value: JsonValue): string =>
  `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${written(value)}</｜DSML｜parameter>\n`;
const call = (name: string, args: Args): string =>
  `<｜DSML｜invoke name="${name}">\n${Object.entries(args)
    .map(([key, value]) => parameter(key, value))
    .join('')}</｜DSML｜invoke>\n`;
const block = (calls: string): string =>
  `<｜DSML｜function_calls>\n${calls}</｜DSML｜function_calls>`;

describeFormat({
  parser: deepseekDsml,
  write: (name, args) => block(call(name, args)),
  writeAll: (calls) => block(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '</｜DSML｜function_calls>',
  args: namedArgs,
  pieces: [
    '<｜DSML｜function_calls>',
    '</｜DSML｜function_calls>',
    '<｜DSML｜tool_calls>',
    '</｜DSML｜tool_calls>',
    '<|DSML|tool_calls>',
    '<｜DSML｜invoke name="f">',
    '<｜DSML｜invoke name="f"/>',
    '</｜DSML｜invoke>',
    '<｜DSML｜parameter name="a" string="true">',
    '<｜DSML｜parameter name="b" string="false">1',
    '</｜DSML｜parameter>',
    '<｜DSML｜invoke name="f"><｜DSML｜parameter name="a" string="true">',
    '<｜DSML｜tool_calls><｜DSML｜invoke name="f">{"a": 1}',
    '<｜DSML｜ calls>',
    '</｜DSML｜ calls>',
    '<｜DSML｜ invoke name="f">',
    '</｜DSML｜ invoke>',
    '<｜DSML｜ parameter name="a" string="true">',
    '<｜DSM',
  ],
});

describe('the format deepseek-dsml', () => {
  const registry = new ParserRegistry().register(deepseekDsml, 50);
  const read = (text: string, tools?: readonly ToolDefinition[]) =>
    registry.parse(text, tools === undefined ? {} : { tools });
  const tool = (properties: Args): ToolDefinition => ({ name: 'f', parameters: { properties } });

  test('reads both wrappers, bars of ASCII, and calls without a wrapper', () => {
    const one = call('f', { a: 'x' });
    const texts = [
      block(one),
      `<｜DSML｜tool_calls>\n${one}</｜DSML｜tool_calls>`,
      `<｜DSML｜tool_calls>\n${one}</｜DSML｜tool_calls>`.replaceAll('｜', '|'),
      one.trimEnd(),
      `${one}</｜DSML｜tool_calls>`,
      `<｜DSML｜tool_calls>\n${one.replace('</｜DSML｜invoke>', '</invoke>')}</｜DSML｜tool_calls>`,
    ];
    for (const text of texts) {
      const { calls, text: rest } = read(text);
      expect(calls, text).toMatchObject([{ name: 'f', arguments: { a: 'x' }, complete: true }]);
      expect(rest).toBe('');
    }
  });

  test('reads the spaced tags of V4.1, at every cut', () => {
    const one = call('f', { a: 'x > y\n</p>', b: [{ c: null }] }).replaceAll(
      '｜DSML｜',
      '｜DSML｜ ',
    );
    const text = `So.\n\n<｜DSML｜ calls>\n${one}${one.replace('"f"', '"g"')}</｜DSML｜ calls>`;
    const args = { a: 'x > y\n</p>', b: [{ c: null }] };
    for (const chunks of allCuts(text)) {
      for (const model of [undefined, 'deepseek-v4.1']) {
        const streamed = readChunks(chunks, model === undefined ? {} : { model });
        expect(streamed.calls, chunks.join(' + ')).toMatchObject([
          { name: 'f', arguments: args, format: 'deepseek-dsml', repairs: [] },
          { name: 'g', arguments: args, format: 'deepseek-dsml', repairs: [] },
        ]);
        expect(streamed.text).toBe('So.\n\n');
      }
    }
  });

  test('reads a call of V4.1 without arguments, and one without the tag around it', () => {
    const empty = '<｜DSML｜ invoke name="now">\n</｜DSML｜ invoke>';
    for (const text of [`<｜DSML｜ calls>\n${empty}\n</｜DSML｜ calls>`, empty]) {
      expect(read(text)).toMatchObject({ calls: [{ name: 'now', arguments: {} }], text: '' });
    }
  });

  test('returns a truncated call of V4.1 as text with an issue', () => {
    const text =
      '<｜DSML｜ calls>\n<｜DSML｜ invoke name="f"><｜DSML｜ parameter name="a" string="true">x';
    expect(read(text)).toMatchObject({ calls: [], text, issues: [{ code: 'incomplete-call' }] });
  });

  test('believes the model that a value is a string', () => {
    expect(read(block(call('f', { a: '42', b: 42 }))).calls).toMatchObject([
      { arguments: { a: '42', b: 42 } },
    ]);
    const either = tool({ a: { type: ['string', 'integer'] } });
    expect(read(block(call('f', { a: '42' })), [either]).calls).toMatchObject([
      { arguments: { a: '42' } },
    ]);
  });

  test('believes the schema where it allows no string, or nothing else', () => {
    const tools = [tool({ a: { type: 'object' }, b: { type: 'string' } })];
    expect(read(block(call('f', { a: '{"x": 1}', b: 42 })), tools).calls).toMatchObject([
      { arguments: { a: { x: 1 }, b: '42' } },
    ]);
  });

  test('leaves text that is called JSON and is none as it is', () => {
    const text = '<｜DSML｜parameter name="a" string="false">{not json</｜DSML｜parameter>';
    expect(read(`<｜DSML｜invoke name="f">${text}</｜DSML｜invoke>`).calls).toMatchObject([
      { arguments: { a: '{not json' } },
    ]);
  });

  test('reads JSON in place of parameters, and a call that is one tag', () => {
    const text = block(
      '<｜DSML｜invoke name="f">\n{"a": [1, {"b": ">"}]}\n</｜DSML｜invoke>\n<｜DSML｜invoke name="now"/>\n',
    );
    expect(read(text).calls).toMatchObject([
      { name: 'f', arguments: { a: [1, { b: '>' }] }, repairs: [] },
      { name: 'now', arguments: {}, repairs: [] },
    ]);
  });

  test('takes parameters out of `arguments` and `input` only if they are those of the tool', () => {
    const tools = [tool({ city: { type: 'string' } })];
    const wrapped = (key: string, inner: JsonValue): string => block(call('f', { [key]: inner }));
    expect(read(wrapped('arguments', { city: 'Oslo' }), tools).calls).toMatchObject([
      { arguments: { city: 'Oslo' }, repairs: ['wrapped-value'] },
    ]);
    expect(read(wrapped('input', '{"city": "Oslo"}'), tools).calls).toMatchObject([
      { arguments: { city: 'Oslo' } },
    ]);
    expect(read(wrapped('input', { town: 'Oslo' }), tools).calls).toMatchObject([
      { arguments: { input: { town: 'Oslo' } }, repairs: [] },
    ]);
    expect(read(wrapped('arguments', { city: 'Oslo' })).calls).toMatchObject([
      { arguments: { arguments: { city: 'Oslo' } }, repairs: [] },
    ]);
  });

  test('reads a call whose own tag is not closed but whose block is', () => {
    const text = block(call('f', { a: 'x' }).replace('</｜DSML｜invoke>', ''));
    expect(read(`${text}Done.`)).toMatchObject({
      calls: [{ arguments: { a: 'x' }, repairs: ['missing-end-marker'] }],
      text: 'Done.',
    });
  });
});
