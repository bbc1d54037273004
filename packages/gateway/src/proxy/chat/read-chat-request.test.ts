import { describe, expect, test } from 'vitest';
import { readChatRequest } from './read-chat-request.ts';

const parameters = { type: 'object', properties: {} };
const tool = { type: 'function', function: { name: 'f', description: 'does', parameters } };

function read(fields: object): unknown {
  const result = readChatRequest({ model: 'm', messages: [], ...fields });
  return result.ok ? result.request : result.error.message;
}

describe('readChatRequest', () => {
  test('reads what matters, and keeps the body', () => {
    const body = { model: 'm', messages: [{ role: 'user' }], stream: true, n: 2, tools: [tool] };
    expect(readChatRequest(body)).toEqual({
      ok: true,
      request: {
        body,
        model: 'm',
        stream: true,
        choiceCount: 2,
        tools: [{ name: 'f', description: 'does', parameters }],
      },
    });
  });

  test('what is left out has its default', () => {
    expect(readChatRequest({ messages: [], model: null, stream: null })).toMatchObject({
      request: { model: '', stream: false, choiceCount: 1, tools: [] },
    });
  });

  test.each([
    ['the older functions', { functions: [{ name: 'g' }] }, [{ name: 'g' }]],
    ['both', { tools: [tool], functions: [{ name: 'g' }] }, [{ name: 'f' }, { name: 'g' }]],
    ['no others', { tools: [{ type: 'web_search' }, { type: 'custom', custom: {} }, 3] }, []],
    ['none that are not wanted', { tools: [tool], tool_choice: 'none' }, []],
    ['nothing in either field', { functions: [{ name: 'g' }], tool_choice: 'none' }, []],
    ['no functions that are not wanted', { functions: [{ name: 'g' }], function_call: 'none' }, []],
    ['the first of two with one name', { tools: [tool, tool] }, [{ name: 'f' }]],
    ['no tool without a name', { tools: [{ type: 'function', function: { name: '' } }] }, []],
  ])('offers %s', (_, fields, tools) => {
    expect(read(fields)).toMatchObject({ tools });
    expect((read(fields) as { tools: unknown[] }).tools).toHaveLength(tools.length);
  });

  test.each([
    [null, 'the body of the request: expected a JSON object, got null'],
    [[], 'the body of the request: expected a JSON object, got a list'],
    ['x', 'the body of the request: expected a JSON object, got a string'],
    [{}, 'messages: expected a list, got nothing'],
    [{ messages: {} }, 'messages: expected a list, got an object'],
    [{ messages: [{}, 3] }, 'messages[1]: expected an object, got a number'],
    [{ messages: [], model: 3 }, 'model: expected the name of a model, got a number'],
    [{ messages: [], stream: 'yes' }, 'stream: expected true or false, got a string'],
    [{ messages: [], tools: {} }, 'tools: expected a list, got an object'],
    [{ messages: [], functions: true }, 'functions: expected a list, got a boolean'],
  ])('refuses %j', (value, message) => {
    expect(readChatRequest(value)).toEqual({
      ok: false,
      error: { kind: 'invalid-request', message },
    });
  });
});
