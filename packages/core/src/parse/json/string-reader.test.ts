import { describe, expect, test } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { DOUBLE_QUOTE, SINGLE_QUOTE } from './char-code.ts';
import { JsonReader } from './json-reader.ts';
import { expectReading } from './read-at-every-cut.case.ts';
import type { StringPlace } from './string-end.ts';
import { StringReader } from './string-reader.ts';

type Case = [text: string, value: JsonValue, repairs: Repair[]];

describe('a string', () => {
  test.each<Case>([
    ['{"a": "", "b": \'\'}', { a: '', b: '' }, ['single-quotes']],
    ['{“a“: “b”, ”c“: «d»}', { a: 'b', c: 'd' }, ['smart-quotes']],
    ['{"a": `b`}', { a: 'b' }, ['odd-quotes']],
    ['{"a": "x"" y"}', { a: 'x"" y' }, ['inner-quotes']],
    ['{"a": "see [ "b" c"}', { a: 'see [ "b" c' }, ['inner-quotes']],
    ['{"a": "[{"b": "c"}]", "d": 1}', { a: '[{"b": "c"}]', d: 1 }, ['inner-quotes']],
    ['{"a": "city: "Oslo" there"}', { a: 'city: "Oslo" there' }, ['inner-quotes']],
    ['{"a": ["x, "b" c"]}', { a: ['x, "b" c'] }, ['inner-quotes']],
    ['{"a": "x\ny\tz"}', { a: 'x\ny\tz' }, ['raw-control-character']],
    ['{"a": "\u007f"}', { a: '\u007f' }, []],
  ])('%j is what stands between its quotes', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, isOver: true });
  });

  test.each<Case>([
    ['{"a": """x"y"""}', { a: 'x"y' }, ['triple-quotes']],
    ['{"a": """x &lt; y"""}', { a: 'x &lt; y' }, ['triple-quotes']],
    ['{"a": """"""}', { a: '' }, ['triple-quotes']],
    ['{&quot;a&quot;: &quot;x &lt; y&quot;}', { a: 'x < y' }, ['entity-quotes']],
    ['{&#39;a&#39;: &#39;x &amp;lt; y&#39;}', { a: 'x &lt; y' }, ['entity-quotes']],
    ['{\\"a\\": \\"x\\nyz\\"}', { a: 'x\nyz' }, ['escaped-quotes']],
    ['{\\"a\\": \\"x\\\\ny\\"}', { a: 'x\ny' }, ['escaped-quotes']],
    ['{\\"a\\": \\"x\\\\n, y and z\\"}', { a: 'x\n, y and z' }, ['escaped-quotes']],
    ['{\\"a\\": \\"x \\\\\\"y\\\\\\" z\\"}', { a: 'x "y" z' }, ['escaped-quotes']],
    ['[\\"""x\\"]', ['""x'], ['escaped-quotes']],
  ])('%j ends with what began it', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, isOver: true });
  });

  test.each<Case>([
    ['{"a": "x\\n\\d"}', { a: 'x\n\\d' }, ['bad-escape']],
    ['{"a": "C:\\new\\dir"}', { a: 'C:\\new\\dir' }, ['bad-escape']],
    ['{"a": "C:\\new\\tab"}', { a: 'C:\new\tab' }, []],
    ['{"a": "x\\", "b": "y\\nz"}', { a: 'x\\', b: 'y\nz' }, ['bad-escape']],
    ['{"a": "C:\\new\\", "b": 1}', { a: 'C:\\new\\', b: 1 }, ['bad-escape']],
    ['{"a": "C:\\new\\dir\\", "b": 1}', { a: 'C:\\new\\dir\\', b: 1 }, ['bad-escape']],
    ['{"a": "\\\\server\\dir\\", "b": 1}', { a: '\\\\server\\dir\\', b: 1 }, ['bad-escape']],
  ])('%j is a path where an escape in it is none', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, isOver: true });
  });

  test.each([
    [32_767, '\\n'],
    [32_768, '\n'],
  ])('of %d characters is a path as far as Windows lets it be one', (length, end) => {
    const text = `C:\\d${'x'.repeat(length - 6)}`;
    const reader = new JsonReader({ maxDepth: 8 });
    expect(reader.read(`{"a": "${text}\\n"}`)).toBe('done');
    expect(reader.value).toEqual({ a: text + end });
  });

  test.each<Case>([
    ['{"a": "\\"}', { a: '\\' }, ['bad-escape']],
    ['{"a": "C:\\new\\dir\\"}', { a: 'C:\\new\\dir\\' }, ['bad-escape']],
    ['{"a": {"b": "C:\\dir\\"} }', { a: { b: 'C:\\dir\\' } }, ['bad-escape']],
  ])('%j ends in the backslash of a path', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, complete: true });
  });

  test('may end in the backslash of a path inside brackets that nothing closes', () => {
    expectReading('[{"a": "x}\\"}', {
      value: [{ a: 'x}\\' }],
      repairs: ['bad-escape', 'missing-brace'],
      complete: false,
    });
  });
});

describe('a string that lost its closing quote', () => {
  test.each<Case>([
    ['{"a": "}', { a: '' }, ['missing-quote']],
    ['{"a": " x }', { a: ' x' }, ['missing-quote']],
    ['{"a": ["x"], "b": ["y ] }', { a: ['x'], b: ['y'] }, ['missing-quote']],
    ['{"a": "x\\n}', { a: 'x' }, ['missing-quote']],
    ['{"a": "x "y z}', { a: 'x "y z' }, ['missing-quote', 'inner-quotes']],
    ['{"a": "C:\\new\\dir}', { a: 'C:\\new\\dir' }, ['bad-escape', 'missing-quote']],
    ['{"a": """x }', { a: 'x' }, ['triple-quotes', 'missing-quote']],
  ])('%j ends before the brackets that close all', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: true, complete: true });
  });

  test.each<Case>([
    ['{"a": "x]}', { a: 'x]}' }, ['missing-brace', 'truncated']],
    ['{"a": {"b": "x}', { a: { b: 'x}' } }, ['missing-brace', 'truncated']],
    ['{"a": "C:\\new\\dir', { a: 'C:\\new\\dir' }, ['bad-escape', 'missing-brace', 'truncated']],
    ['{"a": "x "y', { a: 'x "y' }, ['inner-quotes', 'missing-brace', 'truncated']],
    ['{"a": "x }\\n', { a: 'x }\n' }, ['missing-brace', 'truncated']],
    ['{"a": {"b": "x }\\n }', { a: { b: 'x }\n }' } }, ['missing-brace', 'truncated']],
    ['{"a": "x }\\', { a: 'x }' }, ['truncated', 'missing-brace']],
    ['{"a": "x\\u007d', { a: 'x}' }, ['missing-brace', 'truncated']],
    ['{"a": "\\"x\\"}\\n', { a: '"x"}\n' }, ['missing-brace', 'truncated']],
    ['{"a": "C:\\dir}\\n', { a: 'C:\\dir}\\n' }, ['bad-escape', 'missing-brace', 'truncated']],
    ['{\\"a\\": \\"x }\\n', { a: 'x }\n' }, ['escaped-quotes', 'missing-brace', 'truncated']],
    ['{"a": "x\\u00', { a: 'x' }, ['truncated', 'missing-brace']],
    ['{"a": """x &lt; y', { a: 'x &lt; y' }, ['triple-quotes', 'missing-brace', 'truncated']],
    [
      '{&quot;a&quot;: &quot;x &lt; y',
      { a: 'x < y' },
      ['entity-quotes', 'missing-brace', 'truncated'],
    ],
    ['[\\"x\\', ['x'], ['escaped-quotes', 'missing-brace', 'truncated']],
    ['[\\"x\\u00', ['x'], ['escaped-quotes', 'missing-brace', 'truncated']],
    ['[\\"x\\\\', ['x'], ['escaped-quotes', 'missing-brace', 'truncated']],
  ])('%j is cut where other brackets or none close it', (text, value, repairs) => {
    expectReading(text, {
      value,
      repairs,
      lossy: false,
      complete: false,
      endOffset: text.length,
    });
  });

  test('is all there is, and cut', () => {
    expectReading('"x', { value: 'x', repairs: ['truncated'] });
    expectReading('"x}', { value: 'x}', repairs: ['truncated'] });
  });

  test.each<Case>([
    ['{"a": " x , "b": 1}', { a: ' x', b: 1 }, ['missing-quote']],
    ['{"a": "x\\n, "b": 1}', { a: 'x', b: 1 }, ['missing-quote']],
    [`{"a": "x, "b"${' '.repeat(159)}: 1}`, { a: 'x', b: 1 }, ['missing-quote']],
    ['{"a": "x, "b-$1"  : 1}', { a: 'x', 'b-$1': 1 }, ['missing-quote']],
    ['{"a": "x, "b" "c", "d": 1}', { a: 'x, "b" "c', d: 1 }, ['inner-quotes']],
    [
      '{"a": "C:\\new\\dir, "b": "C:\\new"}',
      { a: 'C:\\new\\dir', b: 'C:\new' },
      ['bad-escape', 'missing-quote'],
    ],
  ])('%j ends before the next key', (text, value, repairs) => {
    const lossy = repairs.includes('missing-quote');
    expectReading(text, { value, repairs, lossy, isOver: true });
  });

  test.each<Case>([
    ['{"a": "x, "b c": 1}', { a: 'x, "b c": 1' }, ['missing-quote', 'inner-quotes']],
    [
      `{"a": "x, "b"${' '.repeat(160)}: 1}`,
      { a: `x, "b"${' '.repeat(160)}: 1` },
      ['missing-quote', 'inner-quotes'],
    ],
    ['["x, "b": 2]', ['x, "b": 2'], ['missing-quote', 'inner-quotes']],
  ])('%j goes on behind what is no key', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: true });
  });
});

describe('a key that lost its closing quote', () => {
  test.each<Case>([
    ['{"city: "Oslo"}', { city: 'Oslo' }, ['missing-quote']],
    ['{"city : "Oslo", "a": 1}', { city: 'Oslo', a: 1 }, ['missing-quote']],
    ['{"city: "C:\\new\\", "a": 1}', { city: 'C:\\new\\', a: 1 }, ['missing-quote', 'bad-escape']],
    [`{"${'k'.repeat(78)}: "x"}`, { ['k'.repeat(78)]: 'x' }, ['missing-quote']],
  ])('%j ends before its colon', (text, value, repairs) => {
    expectReading(text, { value, repairs, lossy: false, isOver: true });
  });

  test('is not looked for in a long one', () => {
    expectReading(`{"${'k'.repeat(79)}: "x"}`, { value: undefined });
  });

  test('is none where its quotes are escaped', () => {
    const value = { 'a", "b': 1 };
    expectReading('{"a\\", "b": 1}', { value, repairs: ['inner-quotes'] });
  });
});

describe('the end marker in a string', () => {
  test('is known by where it first stood, whatever the chunks', () => {
    const value = { a: 'x</call>y</call>' };
    const text = '{"a": "x</call>y</call>"}';
    expectReading(text, { value, repairs: [], crossedAt: 8 }, '</call>');
  });

  test('is just text where it is only begun', () => {
    const value = { a: 'x</b>, </cal' };
    const text = '{"a": "x</b>, </cal"}';
    expectReading(text, { value, repairs: [], crossedAt: -1 }, '</call>');
  });

  test('of one character means nothing there', () => {
    const value = { a: 'x|y' };
    expectReading('{"a": "x|y"}', { value, crossedAt: -1 }, '|');
  });
});

describe('a reader of strings', () => {
  const place: StringPlace = {
    role: 'member',
    depth: 1,
    endMarker: '',
    nextMarker: '',
    beginsWithBracket: false,
    inTuple: false,
    isColonless: false,
  };

  test('knows nothing of the string before', () => {
    const reader = new StringReader();
    reader.begin(SINGLE_QUOTE, 'plain', false);
    expect(reader.read("x, 'b': 1}", 0, place, true)).toBe(6);
    expect(reader).toMatchObject({
      value: 'x',
      repairs: ['single-quotes', 'missing-quote'],
      lossy: true,
      nextKey: 'b',
    });
    reader.begin(DOUBLE_QUOTE, 'plain', false);
    expect(reader.read('y"}', 0, place, true)).toBe(2);
    expect(reader).toMatchObject({ value: 'y', repairs: [], lossy: false, nextKey: undefined });
  });

  test('tells each repair once', () => {
    const reader = new StringReader();
    reader.begin(DOUBLE_QUOTE, 'plain', false);
    reader.read('a\nb\nc"}', 0, place, true);
    expect(reader.repairs).toEqual(['raw-control-character']);
  });

  test('understands all of a string but what may be the beginning of its end', () => {
    const reader = new JsonReader({ maxDepth: 8 });
    reader.read('{"a": """xyz');
    expect(reader.offset).toBe(10);
  });

  test('knows that a quote inside a string is not JSON', () => {
    const reader = new JsonReader({ maxDepth: 8 });
    reader.read('{"a": "x "y');
    expect(reader.isClean).toBe(false);
  });
});
