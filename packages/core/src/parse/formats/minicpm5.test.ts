import { describe, expect, test } from 'vitest';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { namedArgs, written } from '../xml/invoke-suite.case.ts';
import { minicpm5 } from './minicpm5.ts';

/** Strings are written in sections, as the template does with anything but plain words. */
const cdata = (value: JsonValue): string =>
  typeof value === 'string' && /[^\w ]/.test(value)
    ? `<![CDATA[${value.replaceAll(']]>', ']] >')}]]>`
    : written(value);
const write = (name: string, args: Readonly<Record<string, JsonValue>>): string =>
  `<function name="${name}">${Object.entries(args)
    .map(([key, value]) => `<param name="${key}">${cdata(value)}</param>`)
    .join('')}</function>`;

describeFormat({
  parser: minicpm5,
  write,
  isTypedBySchema: true,
  args: namedArgs,
  pieces: [
    '<function name="f">',
    '<functionname="f">',
    '<functionĠname="f">',
    '</function>',
    '<param name="a">',
    '<param name="a">1</param>',
    '</param>',
    '<![CDATA[',
    ']]>',
    '<function name="f"><param name="a"><![CDATA[',
    '<function na',
  ],
  skips: { 'missing-end': 'nothing but its own end says that a call is whole' },
});

describe('the format minicpm5', () => {
  const registry = new ParserRegistry().register(minicpm5, 50);
  const weather: ToolDefinition = {
    name: 'get_weather',
    parameters: {
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  };
  const read = (text: string) => registry.parse(text, { tools: [weather] });
  const call = (parameters: string): string =>
    `<function name="get_weather">${parameters}</function>`;

  test('reads sections with anything in them, and text that only looks like markup', () => {
    const text =
      '<function name="save"><param name="a"> <![CDATA[</param></function> & ]] ]]> </param><param name="b">x & y < z</param></function>';
    expect(registry.parse(text).calls).toMatchObject([
      { arguments: { a: '</param></function> & ]] ', b: 'x & y < z' } },
    ]);
  });

  test('puts back the spaces that a tokenizer left out or encoded', () => {
    for (const [open, value, city] of [
      ['<functionname="get_weather"><paramname="city">', 'New York', 'New York'],
      ['<functionĠname="get_weather"><paramĠname="city">', 'NewĠYork', 'New York'],
      ['<function name="get_weather"><param name="city">', 'Ġgantija', 'Ġgantija'],
    ]) {
      expect(read(`${open}${value}</param></function>`).calls).toMatchObject([
        { name: 'get_weather', arguments: { city } },
      ]);
    }
  });

  test('leaves as text what does not fit the tool', () => {
    const texts = [
      call('<param name="days">3</param>'),
      call('<param name="city">Oslo</param><param name="city">Bergen</param>'),
      call('<param>Oslo</param>'),
      call('Oslo'),
      '<function name="other"><param name="x">1</param></function>',
    ];
    for (const text of texts) {
      expect(read(text), text).toMatchObject({ calls: [], text });
    }
  });

  test('takes parameters out of an object that only wraps them', () => {
    expect(read(call(`<param name="properties">{'city': 'Oslo'}</param>`)).calls).toMatchObject([
      { arguments: { city: 'Oslo' }, repairs: ['wrapped-value'] },
    ]);
  });
});
