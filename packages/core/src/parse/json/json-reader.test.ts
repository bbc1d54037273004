import { describe, expect, test } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { JsonReader } from './json-reader.ts';

const MAX_DEPTH = 8;

interface Ending {
  readonly endMarker?: string;
  /** Whether an end marker stands where the text ends. */
  readonly closed?: boolean;
}

/** What a reader says of a text, whole or one character at a time. */
function read(text: string, isDripped: boolean, { endMarker, closed = false }: Ending = {}) {
  const reader = new JsonReader({
    maxDepth: MAX_DEPTH,
    ...(endMarker !== undefined && { endMarker }),
  });
  let status = 'more';
  for (const chunk of isDripped ? Array.from(text) : [text]) {
    status = reader.read(chunk);
    if (status !== 'more') break;
  }
  if (status === 'more') status = reader.end(closed);
  return { reader, status };
}

function expectValue(
  text: string,
  value: JsonValue,
  repairs: readonly Repair[],
  more: object = {},
  ending: Ending = {},
): void {
  for (const isDripped of [false, true]) {
    const { reader, status } = read(text, isDripped, ending);
    expect(status).toBe('done');
    expect(reader.value).toEqual(value);
    expect(reader).toMatchObject({ repairs, complete: true, lossy: false, ...more });
  }
}

function expectFailure(text: string, failure: string, failedAt: number, ending?: Ending): void {
  for (const isDripped of [false, true]) {
    const { reader, status } = read(text, isDripped, ending);
    expect(status).toBe('failed');
    expect(reader).toMatchObject({ failure, failedAt });
  }
}

describe('a document', () => {
  test.each<[string, JsonValue, number]>([
    ['{"a": [1, {"b": null}]} x', { a: [1, { b: null }] }, 23],
    ['"a" ', 'a', 3],
    ['"a" x', 'a', 3],
    ['"a"}', 'a', 3],
    [' "a"', 'a', 4],
    ['7', 7, 1],
    ['7,', 7, 1],
    ['true', true, 4],
    ['[1] / 2', [1], 3],
    ['\u00a0{"a": 1}', { a: 1 }, 9],
    ['[[[[[[[[1]]]]]]]]', [[[[[[[[1]]]]]]]], 17],
  ])('%j is read up to where it ends', (text, value, endOffset) => {
    expectValue(text, value, [], { endOffset });
  });

  test.each<[string, JsonValue, Repair[]]>([
    ['\\"a\\"', 'a', ['escaped-quotes']],
    ['{\\"a\\": 1}', { a: 1 }, ['escaped-quotes']],
    ['{\\"a\\":\\n1,\\t\\"b\\":\\r2}', { a: 1, b: 2 }, ['escaped-quotes']],
    ['{\\n"a": 1}', { a: 1 }, ['escaped-quotes']],
    ['\\"a\\" : 1', { a: 1 }, ['escaped-quotes', 'missing-outer-braces']],
    ['"a": 1, "b": 2', { a: 1, b: 2 }, ['missing-outer-braces']],
    ['{# c\n"a": 1}', { a: 1 }, ['comment']],
    ['{// c\n"a": 1}', { a: 1 }, ['comment']],
    ['{/* c **/"a": 1}', { a: 1 }, ['comment']],
    ['{/* c *//* d */"a": 1}', { a: 1 }, ['comment']],
    ['{"a": /*/ 1 */ 2}', { a: 2 }, ['comment']],
    ['{\n# c\n"a": 1}', { a: 1 }, ['comment']],
    ['{"a": /* c */ 1 // d\n}', { a: 1 }, ['comment']],
    ['{"a": # c\n1}', { a: 1 }, ['comment']],
    ['{"a": [1, # one\n2]}', { a: [1, 2] }, ['comment']],
    ['[ #\n1]', [1], ['comment']],
    ['{"a" /* c */: 1}', { a: 1 }, ['comment']],
    ['{"a"/* c */: 1}', { a: 1 }, ['comment']],
    ['{"a" // c\n: 1}', { a: 1 }, ['comment']],
    ['{"a" # c\n: 1}', { a: 1 }, ['comment']],
    ['{"a": /tmp/x}', { a: '/tmp/x' }, ['unquoted-value']],
    ['{"a": #x}', { a: '#x' }, ['unquoted-value']],
    ['{r"a": 1}', { a: 1 }, ['python-literal']],
    ['{"a": u"\\n"}', { a: '\n' }, ['python-literal']],
    ['{"a": r"\\n"}', { a: '\\n' }, ['python-literal']],
    ['{"a": Rb"\\n"}', { a: '\\n' }, ['python-literal']],
    ['{"a":\u00a01}', { a: 1 }, ['odd-space']],
    ['{"a": 1\u00a0}', { a: 1 }, ['odd-space']],
    ['{"a": x\u00a0}', { a: 'x' }, ['odd-space', 'unquoted-value']],
    ['{"a": x \t}', { a: 'x' }, ['unquoted-value']],
    ['{ \ufeff "a": 1}', { a: 1 }, ['odd-space']],
    ['{\'a\': "x", "b" [c] d"}', { a: 'x", "b" [c] d' }, ['single-quotes', 'inner-quotes']],
    ['{"a": "x", "b" [c] d"}', { a: 'x", "b" [c] d' }, ['inner-quotes']],
    ['{"a" "b"}', { a: 'b' }, ['missing-colon']],
    ['{"a" "b", "c" {"d" 1}}', { a: 'b', c: { d: 1 } }, ['missing-colon']],
    ['{"a" "x", "b" "y"}', { a: 'x', b: 'y' }, ['missing-colon']],
    ['{,"a": 1}', { a: 1 }, ['trailing-comma']],
    ['[,1]', [1], ['trailing-comma']],
    ['[1,,2]', [1, 2], ['trailing-comma']],
    ['{"a": 1,}', { a: 1 }, ['trailing-comma']],
    ['{"a"::1}', { a: 1 }, ['wrong-separator']],
    ['{"a" => 1}', { a: 1 }, ['wrong-separator']],
    ['{"a": = 1}', { a: 1 }, ['wrong-separator']],
    ['{"a": > 1}', { a: 1 }, ['wrong-separator']],
    ['{"a": 1， "b"： 2}', { a: 1, b: 2 }, ['wrong-separator']],
    ['{"a": (1, "x")}', { a: [1, 'x'] }, ['tuple']],
    ['{"a": (1, 2]}', { a: [1, 2] }, ['tuple']],
    ['{"a": [1, 2}', { a: [1, 2] }, ['missing-brace']],
    ['[{"a": 1]', [{ a: 1 }], ['missing-brace']],
    ['{{"a": "x"}}', { a: 'x' }, ['doubled-braces']],
    ['{{"a": {{"b": "x"}}}}', { a: { b: 'x' } }, ['doubled-braces']],
    ['{{{"a": 1}}}', { a: 1 }, ['doubled-braces']],
    ['[1 2]', [1, 2], ['missing-comma']],
    ['[true  null]', [true, null], ['missing-comma']],
    ['{"a": 1 2}', { a: '1 2' }, ['unquoted-value']],
    ['["x" + "y", "z"]', ['xy', 'z'], ['joined-strings']],
    ['{"a": "x" + "y" + "z", "b": 1}', { a: 'xyz', b: 1 }, ['joined-strings']],
    ['{a": 1}', { a: 1 }, ['missing-quote']],
    ['{"a": 0x1f}', { a: 31 }, ['number']],
    ['{"a": "C:\\dir\\"}', { a: 'C:\\dir\\' }, ['bad-escape']],
    ['{"a": "b\\"}', { a: 'b\\' }, ['bad-escape']],
    ['{"a": {"b": "\\d\\"}}', { a: { b: '\\d\\' } }, ['bad-escape']],
    ["{'a': '''x'y'''}", { a: "x'y" }, ['single-quotes', 'triple-quotes']],
    ['{"a": ""}', { a: '' }, []],
    ["{'a': ''}", { a: '' }, ['single-quotes']],
  ])('%j is mended', (text, value, repairs) => {
    expectValue(text, value, repairs, { endOffset: text.length });
  });

  test.each<[string, JsonValue, Repair[]]>([
    ['{"a": 1, ...}', { a: 1 }, ['ellipsis']],
    ['{..., "a": 1}', { a: 1 }, ['ellipsis']],
    ['{"a": 1, …}', { a: 1 }, ['ellipsis']],
    ['{"a": "x}', { a: 'x' }, ['missing-quote']],
    ['{"a": ["x ]}', { a: ['x'] }, ['missing-quote']],
    ['{"a": "x, "b": 1}', { a: 'x', b: 1 }, ['missing-quote']],
    ['{{"a": "x}}', { a: 'x' }, ['doubled-braces', 'missing-quote']],
    ['{"a":,}', {}, ['missing-value', 'trailing-comma']],
    ['{"a": {"x": 1}, {"y": 2}}', { a: { x: 1, y: 2 } }, ['split-object']],
    ['{"a": NaN}', { a: null }, ['non-finite-number']],
  ])('%j is mended, and something may be lost', (text, value, repairs) => {
    expectValue(text, value, repairs, { lossy: true, endOffset: text.length });
  });

  test.each([
    ['', 'there is nothing to read', 0],
    ['   ', 'there is nothing to read', 3],
    ['abc', 'there is nothing to read', 3],
    ['{a}', 'the key "a" has no value', 2],
    ['{a, b}', 'the key "a" has no value', 2],
    ['{"a"}', 'the key "a" has no value', 4],
    ['{"a",}', 'the key "a" has no value', 4],
    ['[x]', '"x" is not a JSON value', 2],
    ['[one, two]', '"one" is not a JSON value', 4],
    ['[true null x]', '"true null x" is not a JSON value', 12],
    ['[1)]', '"1)" is not a JSON value', 3],
    ['{"a": 1 /', 'a lone slash', 8],
    ['{\\x"a": 1}', 'a backslash outside a string', 1],
    ['{"a": \\1}', 'a backslash outside a string', 6],
    ['\\', 'a backslash outside a string', 0],
    ['}', 'it begins with "}"', 0],
    [']', 'it begins with "]"', 0],
    [',', 'it begins with ","', 0],
    [':', 'a colon stands where a value should', 0],
    ['[:1]', 'a colon stands where a value should', 1],
    ['[= 1]', 'a colon stands where a value should', 1],
    ['{:1}', '":" stands where a key should', 1],
  ])('%j is none: %s', (text, failure, failedAt) => {
    expectFailure(text, failure, failedAt);
  });

  test('is none where it is nested too deep', () => {
    expectFailure('[[[[[[[[[1]]]]]]]]]', 'it is nested more than 8 deep', 8);
    expect(read('[[[[[[[[[', false).reader.tooDeep).toBe(true);
    expect(read('[[[[[[[[', false).reader.tooDeep).toBe(false);
  });

  test('may begin behind other text in its first chunk', () => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH });
    expect(reader.read('so: {"a"', 4)).toBe('more');
    expect(reader.read(': 1}')).toBe('done');
    expect(reader).toMatchObject({ value: { a: 1 }, endOffset: 8 });
  });
});

describe('a document that is cut', () => {
  test.each<[string, JsonValue, Repair[]]>([
    ['{"a"', {}, ['missing-brace', 'truncated']],
    ['{"a":', {}, ['missing-brace', 'truncated']],
    ['{"a', {}, ['missing-brace', 'truncated']],
    ['{"a}', {}, ['missing-brace', 'truncated']],
    ['{a', {}, ['missing-brace', 'truncated']],
    ['{"a": "', {}, ['missing-brace', 'truncated']],
    ['{"a": 1, b', { a: 1 }, ['missing-brace', 'truncated']],
    ['{"a": x', { a: 'x' }, ['unquoted-value', 'missing-brace', 'truncated']],
    ['{"a": tru', {}, ['missing-brace', 'truncated']],
    ['{"a": -', {}, ['missing-brace', 'truncated']],
    ['["x', ['x'], ['missing-brace', 'truncated']],
    ['[1, tr', [1], ['missing-brace', 'truncated']],
    ['["x"', ['x'], ['missing-brace']],
    ['[1, 2', [1, 2], ['missing-brace']],
    ['[1,', [1], ['missing-brace']],
    ['[', [], ['missing-brace']],
    ['{"a": 1 // c', { a: 1 }, ['comment', 'missing-brace']],
    ['{"a": // c', {}, ['comment', 'missing-brace', 'truncated']],
    ['{"a" /* c', {}, ['comment', 'missing-brace', 'truncated']],
    ['{"a": 1 /* c', { a: 1 }, ['comment', 'missing-brace']],
    ['{{"a": 1}', { a: 1 }, ['doubled-braces', 'missing-brace']],
  ])('%j says what there is of it', (text, value, repairs) => {
    expectValue(text, value, repairs, { complete: false, endOffset: text.length });
  });

  test.each([
    ['{"a": 1', true],
    ['{"a": 1,', true],
    ['{"a": {"b": 1}', true],
    ['{', true],
    ['{"a": {"b": 1', false],
    ['[1', false],
    ['{"a": [1', false],
    ['{"a":', false],
    ['{"a": tru', false],
    ['{a: 1', false],
    ['{"a": 1}', false],
  ])('%j lacks nothing but a brace: %s', (text, lacksOnlyBrace) => {
    for (const isDripped of [false, true])
      expect(read(text, isDripped).reader.lacksOnlyBrace).toBe(lacksOnlyBrace);
  });

  test.each<[string, JsonValue, Repair[], boolean]>([
    ['{"a": 1', { a: 1 }, ['missing-brace'], true],
    ['{"a": tru', { a: 'tru' }, ['unquoted-value', 'missing-brace'], true],
    ['{"a": x', { a: 'x' }, ['unquoted-value', 'missing-brace'], true],
    ['[1', [1], ['missing-brace'], true],
    ['{"a": "x', { a: 'x' }, ['missing-brace', 'truncated'], false],
    ['{"a": ', {}, ['missing-brace', 'truncated'], false],
  ])('%j is whole where something else has closed it', (text, value, repairs, complete) => {
    expectValue(text, value, repairs, { complete }, { closed: true });
  });
});

describe('a document before an end marker', () => {
  const ending = { endMarker: '</call>' };

  test.each<[string, JsonValue, Repair[], number]>([
    ['{"a": "x"</call>', { a: 'x' }, ['missing-brace'], 9],
    ['{"a": 1</call>', { a: 1 }, ['missing-brace'], 7],
    ['{"a": 1,</call>', { a: 1 }, ['missing-brace'], 8],
    ['{</call>', {}, ['missing-brace'], 1],
    ['[1</call>', [1], ['missing-brace'], 2],
    ['{"a": x</call>', { a: 'x' }, ['unquoted-value', 'missing-brace'], 7],
    ['{"a": {"b": 1</call>', { a: { b: 1 } }, ['missing-brace'], 13],
    ['{"a": [</call>', { a: [] }, ['missing-brace'], 7],
    ['{"a": "x"} </call>', { a: 'x' }, [], 10],
    ['{"a": "x</call>y"}', { a: 'x</call>y' }, [], 18],
    ['{"a": "x</call>y\n"}', { a: 'x</call>y\n' }, ['raw-control-character'], 19],
  ])('%j ends with it, or has it in a string', (text, value, repairs, endOffset) => {
    expectValue(text, value, repairs, { endOffset }, ending);
  });

  test('has lost the value of a key that it follows', () => {
    const more = { lossy: true, endOffset: 6 };
    expectValue('{"a": </call>', {}, ['missing-value', 'missing-brace'], more, ending);
  });

  test('is none where nothing stands before it, or where more has to be mended behind it', () => {
    expectFailure('</call>', 'nothing stands before the end marker', 0, ending);
    for (const isDripped of [false, true]) {
      const { reader, status } = read('{"a": "x</call>y", \'b\': 1}', isDripped, ending);
      expect([status, reader.failure]).toEqual(['failed', 'a string holds the end marker']);
      expect(reader.failedAt).toBe(22);
    }
  });

  test.each([
    ['{"a": "x</call>y", b: 1}', 20],
    ['{"a": "x</call>y",}', 19],
    ['{"a": "x</call>y", "b": +1}', 26],
    ['{"a": "</call>", "b": [1] "c": 2}', 26],
    ['{"a": "x</call>y" /* c */}', 20],
    ['{"a": ["x</call>y"], "b": +1', 28],
    ['{"a": "x</call>y" z', 19],
  ])('is none as far as %j had to be mended, up to %d', (text, failedAt) => {
    expectFailure(text, 'a string holds the end marker', failedAt, ending);
  });

  test('is none for want of a value, whatever stands before', () => {
    const failure = 'the key "b" has no value';
    expectFailure('{"a": ["</call>"], b}', failure, 20, ending);
    expectFailure('{"a": ["</call>"], b, "c": 1}', failure, 20, ending);
  });

  test('may have a marker that begins like a number', () => {
    const more = { lossy: true, endOffset: 6 };
    const marked = { endMarker: '1.' };
    expectValue('{"a": 1.', {}, ['missing-value', 'missing-brace'], more, marked);
    expectValue('{"a": 0 1.', { a: 0 }, ['missing-brace'], { endOffset: 8 }, marked);
  });

  test('knows where a string first had it', () => {
    for (const isDripped of [false, true]) {
      const text = '{"a": "x</call>y</call>", "b": "</call>"}';
      expect(read(text, isDripped, ending).reader.crossedAt).toBe(8);
      expect(read('{"a": "x</cal"}', isDripped, ending).reader.crossedAt).toBe(-1);
      expect(read('{"a": "</call>"}', isDripped, ending).reader.crossedAt).toBe(7);
    }
  });
});

describe('while it is read', () => {
  test.each([
    ['{"a": [1, "x', true],
    ['{"a": 1, ', true],
    ['{"a": "x\n', false],
    ["{'a", false],
    ['{a: 1', false],
    ['{"a": 1.5e', true],
    ['{"a": fal', true],
    ['{"a": True', false],
    ['{"a": /x', false],
    ['{"a": "x "y', false],
    ['{"a": -10.5E+29 \r\n\t', true],
    ['{"a": 1\u00a0', false],
    ['{"a"：', false],
  ])('%j is clean so far: %s', (text, isClean) => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH });
    reader.read(text);
    expect(reader.isClean).toBe(isClean);
  });

  test('a number is clean that has a letter of the end marker', () => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH, endMarker: 'end' });
    reader.read('{"a": 1e5,');
    expect(reader.isClean).toBe(true);
  });

  test('a marker in a string is not clean', () => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH, endMarker: '</call>' });
    reader.read('{"a": "</call>');
    expect(reader.isClean).toBe(false);
  });

  test('it is known how far it is understood, and what stood there', () => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH });
    reader.read('{"a": "x\\');
    expect(reader.offset).toBe(8);
    reader.read('n", "b": ');
    expect(reader.offset).toBe(18);
    expect(reader.source(8, 10)).toBe('\\n');
    expect(reader.source(13, 16)).toBe('"b"');
  });

  test('objects that are values of keys are told, with where they begin and end', () => {
    for (const isDripped of [false, true]) {
      const reader = new JsonReader({ maxDepth: MAX_DEPTH });
      const told: string[] = [];
      reader.watch({
        memberObject: (key, offset) => told.push(`${key} ${offset}`),
        memberObjectEnd: (offset) => told.push(`end ${offset}`),
      });
      const text = '{"a": {"b": {}}, "c": [{}]}';
      for (const chunk of isDripped ? Array.from(text) : [text]) reader.read(chunk);
      expect(told).toEqual(['a 6', 'b 12', 'end 14', 'end 15', 'end 25', 'end 27']);
    }
  });

  test('what is cut is told to have ended where the text did', () => {
    const reader = new JsonReader({ maxDepth: MAX_DEPTH });
    const told: number[] = [];
    reader.watch({
      memberObject: () => undefined,
      memberObjectEnd: (offset) => told.push(offset),
    });
    reader.read('{"a": {"b": 1');
    reader.end();
    expect(told).toEqual([13, 13]);
  });
});
