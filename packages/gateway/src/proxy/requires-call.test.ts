import { expect, test } from 'vitest';
import { requiresCall } from './requires-call.ts';

test.each([
  ['nothing', {}, false],
  ['a free choice', { tool_choice: 'auto' }, false],
  ['no call', { tool_choice: 'none' }, false],
  ['any tool, in Chat and Responses', { tool_choice: 'required' }, true],
  ['any tool, in Messages', { tool_choice: { type: 'any' } }, true],
  ['a free choice, in Messages', { tool_choice: { type: 'auto' } }, false],
  ['one tool, in Messages', { tool_choice: { type: 'tool', name: 'a' } }, true],
  ['one tool', { tool_choice: { type: 'function', name: 'a' } }, true],
  ['one of some', { tool_choice: { type: 'allowed_tools', mode: 'required', tools: [] } }, true],
  [
    'one of some, in Chat',
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required' } } },
    true,
  ],
  ['some, freely', { tool_choice: { type: 'allowed_tools', mode: 'auto' } }, false],
  ['a function, in the older field', { function_call: { name: 'a' } }, true],
])('a request that asks for %s: %j requires a call: %s', (_, body, requires) => {
  expect(requiresCall(body)).toBe(requires);
});
