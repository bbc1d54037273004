import { describe, expect, test } from 'vitest';
import { readMessagesRequest } from './read-messages-request.ts';

const RULES = { deferLoading: true };
const request = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const tool = { name: 'Read', description: 'Reads.', input_schema: { type: 'object' } };
const definition = { name: 'Read', description: 'Reads.', parameters: { type: 'object' } };

describe('a request', () => {
  test('is read with its tools', () => {
    const body = { ...request, stream: true, tools: [tool] };
    expect(readMessagesRequest(body, RULES)).toEqual({
      ok: true,
      request: { body, model: 'm', stream: true, tools: [definition] },
    });
  });

  test.each([
    ['that it wants no call of', { tools: [tool], tool_choice: { type: 'none' } }, RULES, []],
    ['that are loaded later', { tools: [{ ...tool, defer_loading: true }] }, RULES, [definition]],
    [
      'that are loaded later, with the rule off',
      { tools: [{ ...tool, defer_loading: true }] },
      { deferLoading: false },
      [],
    ],
    ['that the vendor runs', { tools: [{ type: 'web_search_20250305', name: 'w' }] }, RULES, []],
    ['of one name once', { tools: [tool, tool] }, RULES, [definition]],
    ['that are null', { tools: null }, RULES, []],
  ])('offers tools %s as it should', (_, more, rules, tools) => {
    expect(readMessagesRequest({ ...request, ...more }, rules)).toMatchObject({
      request: { stream: false, tools },
    });
  });

  test.each([
    [[], 'the body of the request: expected a JSON object, got a list'],
    [undefined, 'the body of the request: expected a JSON object, got nothing'],
    [{ messages: [] }, 'model: expected the name of a model, got nothing'],
    [{ ...request, model: '' }, 'model: expected the name of a model, got an empty text'],
    [{ model: 'm' }, 'messages: expected a list, got nothing'],
    [{ ...request, messages: 'Hi' }, 'messages: expected a list, got a string'],
    [{ ...request, messages: ['Hi'] }, 'messages[0]: expected an object, got a string'],
    [
      { ...request, messages: [...request.messages, { content: 'x' }] },
      'messages[1].role: expected "user" or "assistant", got nothing',
    ],
    [
      { ...request, messages: [{ role: 'user', content: 5 }] },
      'messages[0].content: expected a text or a list of blocks, got a number',
    ],
    [{ ...request, stream: 'yes' }, 'stream: expected true or false, got a string'],
    [{ ...request, tools: {} }, 'tools: expected a list, got an object'],
    [{ ...request, tools: [null] }, 'tools[0]: expected an object, got null'],
    [{ ...request, tools: [{}] }, 'tools[0].name: expected the name of a tool, got nothing'],
    [
      { ...request, tools: [{ name: 'x', input_schema: [] }] },
      'tools[0].input_schema: expected a JSON Schema object, got a list',
    ],
  ])('%j is refused in words', (value, message) => {
    expect(readMessagesRequest(value, RULES)).toEqual({
      ok: false,
      error: { kind: 'invalid-request', message },
    });
  });
});
