import { describe, expect, test } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { parseJson } from './parse-json.ts';

type Row = readonly [text: string, value: JsonValue, repairs: readonly Repair[], more?: object];

const AROUND: Repair = 'surrounding-text';

/** With the text first, which is what a test is named after. */
const named = (...rows: readonly Row[]): readonly (readonly [string, Row])[] =>
  rows.map((row) => [row[0], row]);

describe('JSON among other text', () => {
  const rows: readonly Row[] = [
    ['Here it is: {"a": 1}. Done', { a: 1 }, [AROUND]],
    ['{"a": 1} and no more', { a: 1 }, [AROUND]],
    ['Sure: [1, 2] ok', [1, 2], [AROUND]],
    ['Take [1] or {"a": 1}', [1], [AROUND]],
    ['Take {"a": 1} or [1]', { a: 1 }, [AROUND]],
    ['Take {"a": [1]} (or nothing)', { a: [1] }, [AROUND]],
    ['x {"a": 1}; {"b": 2}', [{ a: 1 }, { b: 2 }], ['concatenated', AROUND]],
    ['x {"a": 1}, [2] y', [{ a: 1 }, 2], ['concatenated', AROUND]],
    ['x {"a": 1}} y', { a: 1 }, ['extra-brace', AROUND]],
    ['x {"a": 1}; y', { a: 1 }, [AROUND]],
    ['I say "hi": {"a": 1}', { a: 1 }, [AROUND]],
    ['"quoted" then {"a": 1}', { a: 1 }, [AROUND]],
    ['"text" {"a": 1}', { a: 1 }, [AROUND]],
    ['\\"a\\" then {"b": 1}', { b: 1 }, [AROUND]],
    ['&quot;a&quot; then {"b": 1}', { b: 1 }, [AROUND]],
    ['{"a": 1}, "text"', { a: 1 }, [AROUND]],
    ['[1], "b": 2', [1], [AROUND]],
    ['{"a": 1} , x [2]', { a: 1 }, [AROUND]],
    ['x {"a": "</think>"}', { a: '</think>' }, [AROUND]],
    ['{"a": "</think>"} x', { a: '</think>' }, [AROUND]],
    ['["</think>"] x', ['</think>'], [AROUND]],
    ['\\"a\\": 1', { a: 1 }, ['escaped-quotes', 'missing-outer-braces']],
    ['&quot;a&quot;: 1', { a: 1 }, ['entity-quotes', 'missing-outer-braces']],
    ['"a": 1\n``` bye', { a: 1 }, ['missing-outer-braces', AROUND]],
  ];

  test.each(named(...rows))('%j is found', (text, [, value, repairs]) => {
    expect(parseJson(text)).toEqual({ ok: true, value, repairs, complete: true, lossy: false });
  });

  test('is found in a long text with the end of reasoning in its strings', () => {
    const value = { a: '</think>', b: 'x'.repeat(5000) };
    expect(parseJson(`x ${JSON.stringify(value)} y`)).toMatchObject({ value });
  });

  test.each(
    named(
      ['```json\n{"a": 1}\n```', { a: 1 }, ['code-fence']],
      ['```\n[1]\n```', [1], ['code-fence']],
      ['Here:\n```json\n{"a": 1}\n```', { a: 1 }, ['code-fence', AROUND]],
      ['```json\n{"a": 1}\n``` bye', { a: 1 }, ['code-fence', AROUND]],
      ['```json\n{"a": 1,}\n``` bye', { a: 1 }, ['trailing-comma', 'code-fence', AROUND]],
      ['{"a": 1}\n```', { a: 1 }, []],
      ['{"a": 1,}; ```', { a: 1 }, ['trailing-comma', AROUND]],
      ['Here:\n``` x ```\n{"a": 1}', { a: 1 }, [AROUND]],
      ['`` {"a": 1}', { a: 1 }, [AROUND]],
      ['a```json {"a": 1}', { a: 1 }, [AROUND]],
      ['```json {x}\n{"a": 1}', { a: 1 }, [AROUND]],
    ),
  )('%j has a fence or none', (text, [, value, repairs]) => {
    expect(parseJson(text)).toMatchObject({ ok: true, value, repairs });
  });

  test.each(
    named(
      ['<think>[1]</think> so {"a": 1}', { a: 1 }, [AROUND]],
      ['</reasoning>{"a": 1}', { a: 1 }, []],
      ['<thinking>{"x": 0}</thinking>{"a": 1}', { a: 1 }, []],
      ['<think>{"x": 0}</think></reasoning>{"a": 1,}', { a: 1 }, ['trailing-comma']],
      ['</p> {"a": 1}', { a: 1 }, [AROUND]],
      ['<think>[1</think> x {"a": 1,} y', { a: 1 }, ['trailing-comma', AROUND]],
    ),
  )('%j is read behind the reasoning', (text, [, value, repairs]) => {
    expect(parseJson(text)).toMatchObject({ ok: true, value, repairs });
  });

  test.each([
    ['{"a": 1}</think>', 'the text holds none'],
    ['{"a": 1} <think>{"b": 2}</think>', 'the text holds none'],
    ['no', 'the text holds none'],
    ['{x} {y} z', 'the key "x" has no value'],
    ['[x] y', '"x" is not a JSON value'],
    ['\\d', 'a backslash outside a string'],
    ['{: {"a": 1}', '":" stands where a key should'],
    ['[: {x} {"a": 1}', 'a colon stands where a value should'],
  ])('%j has none, and why is said of the first', (text, reason) => {
    const message = `expected a JSON value, but ${reason}`;
    expect(parseJson(text)).toEqual({ ok: false, message });
  });

  test.each(
    named(
      ['[bad {"a": 1}] and {"b": 2}', { b: 2 }, [AROUND]],
      ['[bad [{"a": 1}]] and [{"b": 2}]', [{ b: 2 }], [AROUND]],
      ['{x} [y] {"a": 1}', { a: 1 }, [AROUND]],
    ),
  )('%j gives no part of what could not be read', (text, [, value, repairs]) => {
    expect(parseJson(text)).toMatchObject({ ok: true, value, repairs });
  });

  test('is none where it is nested too deep, wherever it stands', () => {
    const deep = '{"a": {"b": {"c": {}}}}';
    const tooDeep = 'it is nested more than 3 deep';
    expect(parseJson(deep, { maxDepth: 3 })).toEqual({ ok: false, message: tooDeep });
    for (const text of [`text ${deep}`, `${deep.replaceAll('"', "'")} and {"e": 1}`])
      expect(parseJson(text, { maxDepth: 3 })).toEqual({
        ok: false,
        message: `expected a JSON value, but ${tooDeep}`,
      });
  });

  test('is found before what is nested too deep', () => {
    const found = { ok: true, value: { a: 1 } };
    expect(parseJson('{"a": 1,} then [[[[1]]]]', { maxDepth: 3 })).toMatchObject(found);
  });

  test('is looked for as long as that takes time in proportion, and no longer', () => {
    const text = '{x'.repeat(20_000);
    expect(parseJson(`${text} {"a": 1}`)).toMatchObject({ ok: false });
    expect(parseJson('{x} '.repeat(50) + '{"a": 1}')).toMatchObject({ ok: true, value: { a: 1 } });
    // Each attempt costs 64 characters and the two it reads: 8448, which is 8 times 544 and 4096.
    const failures = '{x}'.repeat(128);
    expect(parseJson(`${failures}${' '.repeat(152)}{"a": 1}`)).toMatchObject({ value: { a: 1 } });
    expect(parseJson(`${failures}${' '.repeat(151)}{"a": 1}`)).toMatchObject({ ok: false });
  });

  test('is looked for behind any number of values', () => {
    const call = { value: { name: 'f' } };
    const text = `${'{a: 1} x '.repeat(300)}{"name": "f"}`;
    expect(parseJson(text, { expect: 'call' })).toMatchObject(call);
  });

  test('is looked for behind values with strings behind them, and so not for long', () => {
    const behind = (values: number): string => `${'{},"",'.repeat(values)}{"name": "f"}`;
    expect(parseJson(behind(100), { expect: 'call' })).toMatchObject({ value: { name: 'f' } });
    expect(parseJson(behind(300), { expect: 'call' })).toHaveProperty('value', {});
  });
});

describe('values behind one another', () => {
  test.each(
    named(
      ['{"a": 1}{"b": 2}', [{ a: 1 }, { b: 2 }], ['concatenated']],
      ['{"a": 1} [2, 3]', [{ a: 1 }, 2, 3], ['concatenated']],
      [
        '{"a": 1,} {b: 2}',
        [{ a: 1 }, { b: 2 }],
        ['trailing-comma', 'unquoted-key', 'concatenated'],
      ],
      ['{"a": 1,} {"b": 2,}', [{ a: 1 }, { b: 2 }], ['trailing-comma', 'concatenated']],
      [
        '{"a": 1} {"b": [...]}',
        [{ a: 1 }, { b: [] }],
        ['ellipsis', 'concatenated'],
        { lossy: true },
      ],
      [
        '{"a": [...]} {"b": 1}',
        [{ a: [] }, { b: 1 }],
        ['ellipsis', 'concatenated'],
        { lossy: true },
      ],
      [
        '{"a": 1} {"b": ',
        [{ a: 1 }, {}],
        ['missing-brace', 'truncated', 'concatenated'],
        { complete: false },
      ],
      ['{"a": 1} }', { a: 1 }, ['extra-brace']],
      ['{"a": 1}; ; ]', { a: 1 }, ['extra-brace']],
      [
        '{"name": "f"}, "args": {"n": 2}}',
        { name: 'f', args: { n: 2 } },
        ['extra-brace'],
        { lossy: true },
      ],
      [
        '{"name": "f"}, "args": {n: [...]}}',
        { name: 'f', args: { n: [] } },
        ['extra-brace', 'unquoted-key', 'ellipsis'],
        { lossy: true },
      ],
      ['{"a": 1}, "b": 2', { a: 1, b: 2 }, ['extra-brace'], { lossy: true }],
      ['"text', 'text', ['truncated'], { complete: false }],
      ["'a'", 'a', ['single-quotes']],
      ['“a”', 'a', ['smart-quotes']],
    ),
  )('%j are taken together', (text, [, value, repairs, more = {}]) => {
    const rest = { complete: true, lossy: false, ...more };
    expect(parseJson(text)).toEqual({ ok: true, value, repairs, ...rest });
  });
});

describe('a call among other text', () => {
  test.each(
    named(
      ['With {"verbose": true} I run {"name": "ls"}', { name: 'ls' }, [AROUND]],
      ['With {"verbose": true} set', { verbose: true }, [AROUND]],
      ['With {verbose: true} or {"x": 1}', { verbose: true }, ['unquoted-key', AROUND]],
      ['[{"name": "a"}] ok', [{ name: 'a' }], [AROUND]],
      ['[] and [{"name": "a"}] ok', [{ name: 'a' }], [AROUND]],
      ['[null,] ok', [null], ['trailing-comma', AROUND]],
      ['x {"a": "</think>"} y', { a: '</think>' }, [AROUND]],
      [
        '{name: "f", "arguments": "{b: 1}"}',
        { name: 'f', arguments: { b: 1 } },
        ['unquoted-key', 'double-encoded'],
      ],
      [
        '{"name": "f", "arguments": "[...]"} x',
        { name: 'f', arguments: [] },
        [AROUND, 'double-encoded', 'ellipsis'],
        { lossy: true },
      ],
      [
        '{"name": "f", "arguments": "{\\"a\\": [1"}',
        { name: 'f', arguments: { a: [1] } },
        ['double-encoded', 'missing-brace'],
        { complete: false },
      ],
      [
        '{"name": "f", "x": [...], "arguments": "{}"}',
        { name: 'f', x: [], arguments: {} },
        ['ellipsis', 'double-encoded'],
        { lossy: true },
      ],
      [
        '{"name": "f", "arguments": "{}", "x": [1',
        { name: 'f', arguments: {}, x: [1] },
        ['missing-brace', 'double-encoded'],
        { complete: false },
      ],
    ),
  )('%j is the one that names a tool, else the first', (text, [, value, repairs, more = {}]) => {
    const rest = { complete: true, lossy: false, ...more };
    expect(parseJson(text, { expect: 'call' })).toEqual({ ok: true, value, repairs, ...rest });
  });
});
