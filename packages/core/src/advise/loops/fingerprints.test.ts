import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../types.ts';
import type { Classification } from '../classification.ts';
import { hashCall, hashError, hashResult } from './fingerprints.ts';

const call = (args: JsonObject, tool = 'tool'): { tool: string; arguments: JsonObject } => ({
  tool,
  arguments: args,
});
const worked: Classification = {
  status: 'success',
  type: undefined,
  parent: undefined,
  confidence: 1,
  evidence: '',
  retryable: false,
};
const result = (output: string): string => hashResult({ tool: 'x', output }, worked);

/** The same value with the keys of every object turned round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, own]) => [key, turned(own)]),
  );
}

describe('hashCall', () => {
  test('does not see the order of keys, and sees everything else', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (args, other) => {
        const hash = hashCall(call(args as JsonObject), 'api', []);
        expect(hashCall(call(turned(args) as JsonObject), 'api', [])).toBe(hash);
        if (!Object.hasOwn(args, `${other}x`))
          expect(hashCall(call({ ...(args as JsonObject), [`${other}x`]: 1 }), 'api', [])).not.toBe(
            hash,
          );
      }),
    );
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['kinds of values', { a: 1 }, { a: '1' }],
    ['null and nothing', { a: null }, {}],
    ['the order of items', { a: [1, 2] }, { a: [2, 1] }],
    ['spaces in a text', { a: 'x y' }, { a: 'x  y' }],
    ['where a text ends', { a: 'x"}', b: '' }, { a: 'x', b: '"}' }],
  ])('tells apart %s', (_, one, other) => {
    expect(hashCall(call(one), 'api', [])).not.toBe(hashCall(call(other), 'api', []));
  });

  test.each([
    ['cat /x', '  cat   /x ', true],
    ['cat /x', 'cat "/x"', true],
    ['cat /x', "cat '/x' 2>&1", true],
    ['cat /x', 'cat /x;', true],
    ['cat /x', 'cat /x | cat', true],
    ['cat /x', 'cat /y', false],
    ['echo "a b"', 'echo a b', false],
    ['echo "a  b"', 'echo "a b"', false],
    ['echo $HOME', "echo '$HOME'", false],
    ['if x:\n  y', 'if x:\n    y', false],
    ['python - <<E\nx\nE', ' python - <<E\nx\nE\n', true],
  ])('of the commands %j and %j: the same is %j', (one, other, same) => {
    const hash = (command: string): string => hashCall(call({ command }, 'bash'), 'shell', []);
    expect(hash(one) === hash(other)).toBe(same);
  });

  test('takes a command only of a shell for one', () => {
    const hash = (command: string): string => hashCall(call({ command }), 'api', []);
    expect(hash('a b')).not.toBe(hash('a  b'));
  });

  test('leaves out thoughts, and what it is told to', () => {
    const one = call({ path: 'x', thought: 'a', stamp: 1 });
    const other = call({ path: 'x', thought: 'b', stamp: 2 });
    expect(hashCall(one, 'api', ['stamp'])).toBe(hashCall(other, 'api', ['stamp']));
    expect(hashCall(one, 'api', [])).not.toBe(hashCall(other, 'api', []));
  });

  test('sees a description, except beside a command', () => {
    const hash = (description: string, kind: 'api' | 'shell'): string =>
      hashCall(call({ command: 'x', description }), kind, []);
    expect(hash('a', 'shell')).toBe(hash('b', 'shell'));
    expect(hash('a', 'api')).not.toBe(hash('b', 'api'));
  });

  test('knows a tool by any spelling of its name', () => {
    expect(hashCall(call({}, 'ReadFile'), 'api', [])).toBe(
      hashCall(call({}, 'read_file'), 'api', []),
    );
  });
});

describe('hashResult', () => {
  test.each([
    ['colours', '\x1b[31mred\x1b[0m', 'red'],
    ['times', 'at 2026-11-16T06:40:01.123Z', 'at 2025-01-02 03:04'],
    ['clocks', '[06:40:01] up', '[07:41:02] up'],
    ['seconds since 1970', 'ts=1763275201', 'ts=1763275999123'],
    ['durations', 'done in 12.5 ms, 3s', 'done in 9 ms, 14s'],
    ['processes', 'pid 4021 started', 'pid 77 started'],
    ['addresses', '<obj at 0x7f3a99b1>', '<obj at 0x55aa0011>'],
    ['temporary files', 'wrote /tmp/tmpab12/x', 'wrote /var/folders/9z/q/x'],
    ['ids', 'id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-e89b-12d3-a456-426614174fff'],
    ['requests', 'request_id=req-abcdef1', 'request_id=req-9999999'],
    ['space at line ends', 'a  \r\nb\n', 'a\nb'],
  ])('does not see %s', (_, one, other) => {
    expect(result(one)).toBe(result(other));
  });

  test.each([
    ['numbers', '3 hits', '4 hits'],
    ['lines of a file', 'at line 3', 'at line 5'],
    ['commits', 'HEAD is now at 4040aaa', 'HEAD is now at 5050bbb'],
    ['space inside', 'a b', 'a  b'],
    ['the middle of a long text by its length', 'x'.repeat(40_000), 'x'.repeat(40_001)],
  ])('sees %s', (_, one, other) => {
    expect(result(one)).not.toBe(result(other));
  });

  test('sees exit codes, and is empty when nothing is known', () => {
    const exit = (exitCode: number): string =>
      hashResult({ tool: 'x', output: '', exitCode }, worked);
    expect(exit(0)).not.toBe(exit(1));
    expect(hashResult({ tool: 'x' }, worked)).toBe('');
    expect(hashResult(undefined, worked)).toBe('');
  });
});

describe('hashError', () => {
  const error = (evidence: string, type: Classification['type'] = 'execution'): string =>
    hashError('x', { ...worked, status: 'failure', type, evidence });

  test('is the same for one error at different times', () => {
    expect(error('12:00:01 Error:  broken')).toBe(error('12:00:09 error: broken'));
    expect(error('broken')).not.toBe(error('other'));
    expect(error('broken')).not.toBe(error('broken', 'timeout'));
  });
});
