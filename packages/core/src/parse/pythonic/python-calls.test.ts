import { describe, expect, test } from 'vitest';
import type { Repair, ToolCall, ToolDefinition } from '../../types.ts';
import { lfm2 } from '../formats/lfm2.ts';
import { ParserRegistry } from '../parser-registry.ts';

const registry = new ParserRegistry().register(lfm2, 50);

function readCalls(list: string, tools?: readonly ToolDefinition[]): readonly ToolCall[] {
  const text = `<|tool_call_start|>[${list}]<|tool_call_end|>`;
  return registry.parse(text, tools === undefined ? {} : { tools }).calls;
}

/** What one value says, and how it was mended; undefined when it is no literal. */
function valueOf(source: string): unknown {
  return readCalls(`f(a=${source})`)[0]?.arguments['a'];
}

function repairsOf(source: string): readonly Repair[] | undefined {
  return readCalls(`f(a=${source})`)[0]?.repairs;
}

describe('strings of Python', () => {
  test.each([
    [`'one'`, 'one'],
    [`"it's"`, "it's"],
    [`''`, ''],
    [`'''say 'a' and\n"b"'''`, `say 'a' and\n"b"`],
    [`"""x"""`, 'x'],
    [`'a' "b"\n 'c'`, 'abc'],
    [`('a'\n 'b')`, 'ab'],
    [`r'\\d+\\'x'`, `\\d+\\'x`],
    [`u'é'`, 'é'],
    [`f'{{x}} y'`, '{x} y'],
    [`'a' # of two, 'x'\n`, 'a'],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toBe(value);
    expect(repairsOf(source)).toEqual([]);
  });

  test.each([
    [String.raw`'\n\t\\\'\"\a\b\f\r\v\0\101'`, '\n\t\\\'"\u0007\b\f\r\v\0A'],
    [String.raw`'\x41\u00e9\U0001F600\ud83d\ude00'`, 'Aé😀😀'],
    [`'one \\\ntwo'`, 'one two'],
  ])('decode %s as Python does', (source, value) => {
    expect(valueOf(source)).toBe(value);
    expect(repairsOf(source)).toEqual([]);
  });

  test('keep the backslash of what is no escape', () => {
    expect(valueOf(String.raw`'\d+\.\N{DASH}'`)).toBe(String.raw`\d+\.\N{DASH}`);
    expect(repairsOf(String.raw`'\d+'`)).toEqual([]);
  });

  test('are taken as written from an escape on that Python refuses', () => {
    expect(valueOf(String.raw`'C:\Users\new\\x'`)).toBe(String.raw`C:\Users\new\x`);
    expect(repairsOf(String.raw`'C:\Users\new'`)).toEqual(['bad-escape']);
    const [call] = readCalls(String.raw`f(a='D:\new\xylo')`);
    expect(call).toMatchObject({ repairs: ['bad-escape'], lossy: true });
  });

  test('may have line breaks in them', () => {
    expect(valueOf(`'one\ntwo'`)).toBe('one\ntwo');
    expect(repairsOf(`'one\ntwo'`)).toEqual(['raw-control-character']);
  });

  test('are no literals as bytes, or with something to fill in', () => {
    expect(valueOf(`b'x'`)).toBeUndefined();
    expect(valueOf(`f'{x}'`)).toBeUndefined();
  });

  test('are no literals where something is computed of them', () => {
    for (const source of [
      `'a' + 'b'`,
      `'a'+'b'`,
      `'a' * 2, b='c'`,
      `'a'.join('b')`,
      `'a %s' % 'b'`,
      `'a' if x else 'b'`,
      `'abc'[0], b='c'`,
      `'a' in 'b'`,
    ])
      expect(readCalls(`f(a=${source})`), source).toEqual([]);
  });
});

describe('quotes inside a string', () => {
  test.each([
    [`a='sed -n '1,9p' f'`, { a: `sed -n '1,9p' f` }],
    [`a="say "yes" now", b=2`, { a: 'say "yes" now', b: 2 }],
    [`a='f "g(h='\\,'))"'`, { a: `f "g(h='\\,'))"` }],
    [`a=['x 'y' z', 1]`, { a: [`x 'y' z`, 1] }],
    [`a={'k': 'it's'}`, { a: { k: `it's` } }],
    [`a='one\n'two' three'`, { a: `one\n'two' three` }],
  ])('are part of it where only one quote can end it: %s', (source, args) => {
    const [call] = readCalls(`f(${source})`);
    expect(call?.arguments).toEqual(args);
    expect(call?.repairs).toContain('inner-quotes');
  });

  test('make no call where two quotes could end it', () => {
    expect(readCalls(`f(a='echo 'hi', b='x')`)).toEqual([]);
    expect(readCalls(`f(a='x 'y' z'), g(b='u 'v' w')`)).toEqual([]);
  });

  test('leave the calls before alone', () => {
    const calls = readCalls(`e(), f(a='x 'y' z')`);
    expect(calls.map(({ name, repairs }) => [name, repairs])).toEqual([
      ['e', []],
      ['f', ['inner-quotes']],
    ]);
  });
});

describe('numbers of Python', () => {
  test.each([
    ['1', 1],
    ['-2.5', -2.5],
    ['+3', 3],
    ['- 4', -4],
    ['--5', 5],
    ['1_000', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['2.5E-3', 0.0025],
    ['0x1F', 31],
    ['0o17', 15],
    ['0b101', 5],
    ['00', 0],
    ['-0', 0],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toBe(value);
    expect(repairsOf(source)).toEqual([]);
  });

  test.each([
    ['07', 7],
    ['-007', -7],
    ['12345678901234567890', '12345678901234567890'],
    ['-9007199254740993', '-9007199254740993'],
    ['0xFFFFFFFFFFFFFFFF', '18446744073709551615'],
    ['1e999', '1e999'],
  ])('%s loses nothing', (source, value) => {
    expect(valueOf(source)).toBe(value);
    expect(repairsOf(source)).toEqual(['number']);
  });

  test('are no literals as complex numbers or expressions', () => {
    for (const source of ['1j', '1 + 2', '2 ** 3', '1if', '1.2.3', '-x'])
      expect(valueOf(source), source).toBeUndefined();
  });
});

describe('other values', () => {
  test.each([
    ['True', true],
    ['None', null],
    ['false', false],
    ['null', null],
    ['[]', []],
    ['[1, [2, ], ]', [1, [2]]],
    ['()', []],
    ['(1,)', [1]],
    ['(1)', 1],
    [`{'a', 'b'}`, ['a', 'b']],
    ['{}', {}],
    [`{'a': 1, "b": {'c': [None]}, }`, { a: 1, b: { c: [null] } }],
    [`{1: 'a', True: 'b', None: 'c'}`, { 1: 'a', true: 'b', null: 'c' }],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toEqual(value);
    expect(repairsOf(source)).toEqual([]);
  });

  test('are no calls where they would have to be computed', () => {
    for (const source of [
      'x',
      'set()',
      '[x for x in y]',
      'a.b',
      '{**x}',
      '...',
      'not True',
      '{1: 2, 3}',
    ])
      expect(valueOf(source), source).toBeUndefined();
  });

  test('keep __proto__ as a key', () => {
    expect(JSON.stringify(valueOf(`{'__proto__': 1}`))).toBe('{"__proto__":1}');
  });
});

describe('arguments', () => {
  test('may be named by words that Python reserves', () => {
    expect(readCalls('f(from=1, class = "x", in=None)')[0]?.arguments).toEqual({
      from: 1,
      class: 'x',
      in: null,
    });
  });

  const tools = [
    { name: 'f', parameters: { type: 'object', properties: { a: {}, b: {}, c: {} } } },
  ];

  test('without names are those of the tool, in its order', () => {
    expect(readCalls(`f('x', True, c=3)`, tools)[0]?.arguments).toEqual({ a: 'x', b: true, c: 3 });
  });

  test('without names make no call where the tool does not say which they are', () => {
    expect(readCalls('f(1)')).toEqual([]);
    expect(readCalls('f(1, 2, 3, 4)', tools)).toEqual([]);
    expect(readCalls('f(b=1, 2)', tools)).toEqual([]);
    expect(readCalls('f(1, a=2)', tools)).toEqual([]);
    expect(readCalls('f(*x)', tools)).toEqual([]);
    expect(readCalls('f(**x)', tools)).toEqual([]);
  });

  test('may stand on many lines, with comments and a comma at the end', () => {
    expect(readCalls('f(\n  a=1,  # one\n  b=[\n    2,\n  ],\n)')[0]?.arguments).toEqual({
      a: 1,
      b: [2],
    });
  });
});

describe('quoted values by the schema', () => {
  const tool: ToolDefinition = {
    name: 'f',
    parameters: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        ratio: { type: 'number' },
        isOpen: { type: 'boolean' },
        items: { type: 'array', items: { type: 'integer' } },
        options: { $ref: '#/$defs/options' },
        name: { type: 'string' },
        either: { type: ['integer', 'string'] },
        untyped: {},
      },
      $defs: { options: { type: 'object' } },
    },
  };

  test.each<[string, unknown, readonly Repair[]]>([
    [`count='3'`, { count: 3 }, ['coerced-value']],
    [`'3'`, { count: 3 }, ['coerced-value']],
    [`count='3.5'`, { count: '3.5' }, []],
    [`count='three'`, { count: 'three' }, []],
    [`ratio="0.5", isOpen='False'`, { ratio: 0.5, isOpen: false }, ['coerced-value']],
    [`items='[1, 2]'`, { items: [1, 2] }, ['stringified-value']],
    [`options='{"a": "1"}'`, { options: { a: '1' } }, ['stringified-value']],
    [`name='3', either='3', untyped='3'`, { name: '3', either: '3', untyped: '3' }, []],
  ])('reads %s', (source, value, repairs) => {
    const [call] = readCalls(`f(${source})`, [tool]);
    expect(call).toMatchObject({ arguments: value, repairs, complete: true, lossy: false });
  });

  test('keeps digits that no number can hold, and marks the call lossy', () => {
    const [call] = readCalls(`f(count='90071992547409931')`, [tool]);
    expect(call).toMatchObject({ arguments: { count: '90071992547409931' }, lossy: true });
  });

  test('keeps a quoted value as text without the tool', () => {
    expect(readCalls(`f(count='3')`)[0]?.arguments).toEqual({ count: '3' });
  });
});
