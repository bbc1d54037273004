import type { JsonObject } from '@holdfast/core';
import { expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import { normaliseMessagesRequest } from './normalise-messages-request.ts';

function normalise(body: JsonObject): { body: JsonObject; applied: readonly string[] } {
  const normalised = normaliseMessagesRequest(body, NORMALISE_DEFAULTS);
  if (!normalised.ok) throw new Error(normalised.error.message);
  return normalised;
}

test('a request that needs nothing is the same object', () => {
  const body = {
    model: 'm',
    system: 'Be kind.',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    ],
    tools: [{ name: 'Read', input_schema: { type: 'object', properties: {} } }],
    thinking: { type: 'adaptive' },
  };
  const normalised = normalise(body);
  expect(normalised.body).toBe(body);
  expect(normalised.applied).toEqual([]);
});

test('a request stays in its own protocol', () => {
  const { body, applied } = normalise({
    model: 'm',
    system: 'A',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [] },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [{ type: 'tool_reference', tool_name: 'Find' }],
          },
        ],
      },
    ],
    tools: [
      { name: 'Find', input_schema: { type: 'object' }, defer_loading: true },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
  });
  expect(body).toEqual({
    model: 'm',
    system: [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ],
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '(no output)' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [{ type: 'text', text: 'The tool Find can be called now.' }],
          },
        ],
      },
    ],
    tools: [{ name: 'Find', input_schema: { type: 'object', properties: {} } }],
  });
  expect([...applied].sort()).toEqual([
    'deferLoading',
    'emptyToolResults',
    'hostedTools',
    'parameterProperties',
    'systemInTheMiddle',
  ]);
});

test('an image in a tool result is no empty result', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://x/y.png' } };
  const block = { type: 'tool_result', tool_use_id: 'a', content: [image] };
  expect(normalise({ messages: [{ role: 'user', content: [block] }] }).applied).toEqual([]);
});
