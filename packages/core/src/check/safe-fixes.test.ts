import { describe, expect, test } from 'vitest';
import type { JsonObject, ToolCall } from '../types.ts';
import type { CheckOptions } from './check-options.ts';
import { checkToolCall } from './check-tool-call.ts';
import { tools } from './read-file-tool.case.ts';

const check = (args: JsonObject, options?: CheckOptions) =>
  checkToolCall({ name: 'read_file', arguments: args }, tools, options);

describe('safe mistakes', () => {
  test.each<[JsonObject, JsonObject, string, string]>([
    [{ filePath: 'a' }, { file_path: 'a' }, 'argument-name', 'filePath is file_path'],
    [{ 'File-Path': 'a' }, { file_path: 'a' }, 'argument-name', 'File-Path is file_path'],
    [
      { file_path: 'a', lineCount: 3 },
      { file_path: 'a', line_count: 3 },
      'argument-name',
      'lineCount is line_count',
    ],
    [
      { file_path: 'a', line_count: '3' },
      { file_path: 'a', line_count: 3 },
      'coerced-value',
      'line_count: "3" is 3',
    ],
    [{ file_path: 7 }, { file_path: '7' }, 'coerced-value', 'file_path: 7 is "7"'],
    [
      { file_path: 'a', encoding: "'utf-8'" },
      { file_path: 'a', encoding: 'utf-8' },
      'coerced-value',
      `encoding: "'utf-8'" is "utf-8"`,
    ],
    [
      { file_path: 'a', filter: '{"depth": 2}' },
      { file_path: 'a', filter: { depth: 2 } },
      'stringified-value',
      String.raw`filter: "{\"depth\": 2}" is an object with depth`,
    ],
    [
      { file_path: 'a', tags: '["x"]' },
      { file_path: 'a', tags: ['x'] },
      'stringified-value',
      String.raw`tags: "[\"x\"]" is an array of 1`,
    ],
    [
      { file_path: 'a', tags: 'x' },
      { file_path: 'a', tags: ['x'] },
      'single-value-for-array',
      'tags: "x" is an array of 1',
    ],
    [
      { file_path: 'a', tags: { tag: ['x'] } },
      { file_path: 'a', tags: ['x'] },
      'wrapped-value',
      'tags: an object with tag is an array of 1',
    ],
    [
      { file_path: 'a', tags: { 0: 'x', 1: 'y' } },
      { file_path: 'a', tags: ['x', 'y'] },
      'wrapped-value',
      'tags: an object with 0, 1 is an array of 2',
    ],
  ])('%j becomes %j (%s)', (args, fixed, repair, message) => {
    const result = check(args);
    expect(result).toMatchObject({ ok: true, call: { arguments: fixed } });
    expect(result.ok && result.repairs.map((one) => [one.repair, one.message])).toEqual([
      [repair, message],
    ]);
    expect(check(args, { fix: false }).ok).toBe(false);
  });

  test.each<[JsonObject, string]>([
    [{ file_path: 'a', filePath: 'b' }, 'both names are there'],
    [{ filePath: 'a', FilePath: 'b' }, 'two keys can be the one'],
    [{ path: 'a' }, 'it is another name'],
    [{ file_path: 1.5 }, 'zeros at the end may be gone'],
    [{ file_path: null }, 'nothing is no text'],
    [{ file_path: 'a', line_count: 'three' }, 'it is no number'],
    [{ file_path: 'a', line_count: '2.5' }, 'it is no whole number'],
    [{ file_path: 'a', line_count: '9007199254740993' }, 'digits would be lost'],
    [{ file_path: 'a', tags: '["x", ' }, 'it is a broken list'],
    [{ file_path: 'a', tags: { not: ['x'] } }, 'the key may say something'],
    [{ file_path: 'a', tags: { 0: 'x', 2: 'y' } }, 'one is missing between them'],
    [{ file_path: 'a', tags: null }, 'nothing is no list'],
    [{ file_path: 'a', encoding: 'UTF-8' }, 'it is another value'],
  ])('are not made of %j: %s', (args) => {
    const result = check(args);
    expect(result.ok).toBe(false);
  });

  test('are set right together, and listed on the call behind what was listed before', () => {
    const call: ToolCall = {
      id: 'call_1',
      name: 'ReadFile',
      arguments: { FilePath: 'a', tags: 'x', line_count: '3' },
      format: 'qwen',
      repairs: ['trailing-comma'],
      complete: true,
      lossy: false,
    };
    const result = checkToolCall(call, tools);
    expect(result).toMatchObject({
      ok: true,
      call: {
        ...call,
        name: 'read_file',
        arguments: { file_path: 'a', tags: ['x'], line_count: 3 },
        repairs: [
          'trailing-comma',
          'tool-name',
          'argument-name',
          'single-value-for-array',
          'coerced-value',
        ],
      },
    });
  });

  test('of a name are left alone where any key is allowed', () => {
    const parameters = { properties: { a_b: {} }, required: ['a_b'], additionalProperties: true };
    const result = checkToolCall({ name: 't', arguments: { aB: 1 } }, [{ name: 't', parameters }]);
    expect(result).toMatchObject({
      ok: false,
      issues: [{ code: 'missing-argument', suggestion: 'aB' }],
    });
  });

  test('are set right in the one alternative that fits then', () => {
    const parameters = {
      properties: {
        when: {
          anyOf: [
            { type: 'integer' },
            {
              type: 'object',
              properties: { dayOfWeek: { type: 'integer' } },
              required: ['dayOfWeek'],
            },
          ],
        },
      },
    };
    const result = checkToolCall({ name: 't', arguments: { when: '{"day_of_week": "2"}' } }, [
      { name: 't', parameters },
    ]);
    expect(result).toMatchObject({ ok: true, call: { arguments: { when: { dayOfWeek: 2 } } } });
    expect(result.ok && result.repairs.map(({ repair, path }) => [repair, path])).toEqual([
      ['stringified-value', ['when']],
      ['argument-name', ['when', 'dayOfWeek']],
      ['coerced-value', ['when', 'dayOfWeek']],
    ]);
  });

  test('in JSON are mended by the function that is given, if it mends them', () => {
    const args = { file_path: 'a', filter: "{'depth': 2}" };
    expect(check(args).ok).toBe(false);
    expect(check(args, { parseLoose: () => ({ depth: 2 }) }).ok).toBe(true);
    expect(check(args, { parseLoose: () => undefined }).ok).toBe(false);
    const parseLoose = (): never => {
      throw new Error('no');
    };
    expect(check(args, { parseLoose }).ok).toBe(false);
  });

  test('may be in arguments that came as one text', () => {
    const call = {
      name: 'read_file',
      arguments: JSON.parse(String.raw`"{\"file_path\": \"a\"}"`) as JsonObject,
    };
    expect(checkToolCall(call, tools)).toMatchObject({
      ok: true,
      call: { arguments: { file_path: 'a' } },
    });
    const list = { name: 'write_file', arguments: JSON.parse('[]') as JsonObject };
    expect(checkToolCall(list, tools)).toMatchObject({
      ok: false,
      issues: [
        { code: 'wrong-type', message: 'the arguments: expected an object, got an array of 0' },
      ],
    });
  });
});
