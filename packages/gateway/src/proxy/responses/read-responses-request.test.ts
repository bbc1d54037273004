import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import { readResponsesRequest } from './read-responses-request.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const read = { type: 'function', name: 'read', description: 'Reads.', parameters: schema };
const patch = { type: 'custom', name: 'apply_patch' };
const agents = { type: 'namespace', name: 'agents', description: 'Helpers.', tools: [read] };

function toolNames(more: JsonObject, rules = NORMALISE_DEFAULTS): unknown {
  const result = readResponsesRequest({ model: 'm', input: 'Hi', ...more }, rules);
  return result.ok ? result.request.tools.map(({ name }) => name) : result.error.message;
}

test('a request is read as far as it matters', () => {
  const body = { model: 'm', input: 'Hi', stream: true, tools: [read, read] };
  expect(readResponsesRequest(body, NORMALISE_DEFAULTS)).toEqual({
    ok: true,
    request: {
      body,
      model: 'm',
      stream: true,
      tools: [{ name: 'read', description: 'Reads.', parameters: schema }],
    },
  });
});

test('a request may name no model, as servers with one model allow', () => {
  const result = readResponsesRequest({ input: [] }, NORMALISE_DEFAULTS);
  expect(result).toMatchObject({ ok: true, request: { model: '', stream: false, tools: [] } });
});

describe('calls are looked for of', () => {
  test('functions, custom tools and tools in namespaces, not of hosted ones', () => {
    const tools = [read, patch, agents, { type: 'web_search' }];
    expect(toolNames({ tools })).toEqual(['read', 'apply_patch', 'agents__read']);
  });

  test('tools that came into the conversation later', () => {
    const input = [
      { type: 'tool_search_call', call_id: 'a', arguments: {} },
      { type: 'tool_search_output', call_id: 'a', tools: [read, patch] },
      { type: 'additional_tools', role: 'developer', tools: [agents] },
    ];
    expect(toolNames({ input, tools: [read] })).toEqual(['read', 'apply_patch', 'agents__read']);
  });

  test('nothing where the client wants no calls', () => {
    expect(toolNames({ tools: [read], tool_choice: 'none' })).toEqual([]);
  });

  test('those tools only that the choice allows', () => {
    const allow = (...tools: readonly JsonObject[]): unknown =>
      toolNames({
        tools: [read, patch, agents],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
      });
    expect(allow({ type: 'function', name: 'read' })).toEqual(['read']);
    expect(allow({ type: 'custom', name: 'apply_patch' })).toEqual(['apply_patch']);
    expect(allow({ type: 'function', name: 'read', namespace: 'agents' })).toEqual([
      'agents__read',
    ]);
    expect(allow({ type: 'namespace', name: 'agents' })).toEqual(['agents__read']);
    expect(allow({ type: 'web_search' })).toEqual([]);
  });

  test('deferred tools only where these are offered', () => {
    const tools = [{ ...read, defer_loading: true }];
    expect(toolNames({ tools })).toEqual(['read']);
    expect(toolNames({ tools }, { ...NORMALISE_DEFAULTS, deferLoading: false })).toEqual([]);
  });
});

describe('what cannot be made sense of is refused, naming the place', () => {
  test.each<[unknown, string]>([
    [[], 'the body of the request: expected a JSON object, got a list'],
    [{ model: 7, input: '' }, 'model: expected the name of a model, got a number'],
    [{}, 'input: expected a text or a list of items, got nothing'],
    [{ input: 'Hi', instructions: [] }, 'instructions: expected a text, got a list'],
    [{ input: 'Hi', stream: 'yes' }, 'stream: expected true or false, got a string'],
    [{ input: 'Hi', tools: {} }, 'tools: expected a list, got an object'],
    [{ input: ['Hi'] }, 'input[0]: expected an object, got a string'],
    [{ input: [{ type: 7 }] }, 'input[0].type: expected the type of an item, got a number'],
    [
      { input: [{ content: 'Hi' }] },
      'input[0].role: expected "user", "assistant", "system" or "developer", got nothing',
    ],
    [
      { input: [{ role: 'user' }] },
      'input[0].content: expected a text or a list of parts, got nothing',
    ],
    [{ input: '', tools: [7] }, 'tools[0]: expected an object, got a number'],
    [{ input: '', tools: [{}] }, 'tools[0].type: expected the type of a tool, got nothing'],
    [
      { input: '', tools: [{ type: 'function', name: '' }] },
      'tools[0].name: expected the name of a tool, got an empty text',
    ],
    [
      { input: '', tools: [{ type: 'function', name: 'f', parameters: 'x' }] },
      'tools[0].parameters: expected a JSON Schema object, got a string',
    ],
    [
      { input: '', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] },
      'tools[0].tools[0].name: expected the name of a tool, got nothing',
    ],
    [
      { input: '', tools: [{ type: 'namespace', tools: [] }] },
      'tools[0].name: expected the name of a namespace, got nothing',
    ],
    [
      { input: '', tools: [{ type: 'namespace', name: 'n' }] },
      'tools[0].tools: expected a list, got nothing',
    ],
  ])('%j', (body, message) => {
    const result = readResponsesRequest(body, NORMALISE_DEFAULTS);
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid-request', message } });
  });

  test('which SDKs read as `param`', () => {
    const result = readResponsesRequest({ input: [{ role: 'user' }] }, NORMALISE_DEFAULTS);
    expect(result).toMatchObject({ error: { details: { param: 'input[0].content' } } });
  });

  test('what the server would have to keep too', () => {
    const body = { input: 'Hi', previous_response_id: 'resp_1' };
    const result = readResponsesRequest(body, NORMALISE_DEFAULTS);
    expect(result).toMatchObject({
      ok: false,
      error: { details: { param: 'previous_response_id' } },
    });
  });
});
