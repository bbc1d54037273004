import type { JsonObject } from '@holdfast/core';
import { expect, test } from 'vitest';
import { asFunctionItem } from './as-function-item.ts';

test.each<[JsonObject, string, JsonObject]>([
  [
    { type: 'local_shell_call', action: { type: 'exec', command: ['ls'] } },
    'local_shell',
    { type: 'exec', command: ['ls'] },
  ],
  [{ type: 'shell_call', action: { commands: ['ls'] } }, 'shell', { commands: ['ls'] }],
  [
    { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
    'apply_patch',
    { type: 'delete_file', path: 'a' },
  ],
])('%j is a call of a function', (item, name, args) => {
  expect(asFunctionItem({ ...item, call_id: 'c1' })).toEqual({
    type: 'function_call',
    call_id: 'c1',
    name,
    arguments: JSON.stringify(args),
  });
});

test.each<[JsonObject, string]>([
  [{ type: 'local_shell_call_output', output: '{"output":"a"}' }, '{"output":"a"}'],
  [
    {
      type: 'shell_call_output',
      output: [
        { stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
        { stdout: '', stderr: 'no such file', outcome: { type: 'exit', exit_code: 2 } },
        { stdout: 'b', stderr: '', outcome: { type: 'timeout' } },
      ],
    },
    'a\nno such file\n(exit code 2)\nb\n(timed out)',
  ],
  [{ type: 'apply_patch_call_output', status: 'completed', output: 'done' }, 'done'],
  [{ type: 'apply_patch_call_output', status: 'failed' }, 'Error: the patch was not applied'],
])('%j is what a function returned', (item, output) => {
  expect(asFunctionItem({ ...item, call_id: 'c1' })).toEqual({
    type: 'function_call_output',
    call_id: 'c1',
    output,
  });
});

test('a result of the older shell has the id of its call as its own', () => {
  const item = asFunctionItem({ type: 'local_shell_call_output', id: 'c1', output: 'a' });
  expect(item['call_id']).toBe('c1');
});

test('any other item stays the same object', () => {
  const item = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  expect(asFunctionItem(item)).toBe(item);
});
