import type { JsonObject, JsonValue } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { normaliseChatRequest } from './normalise-chat-request.ts';

const user = { role: 'user', content: 'Hi' };
const parameters = { type: 'object', properties: {} };
const tool = { type: 'function', function: { name: 'f', parameters } };

function normalise(body: JsonObject, rules: Partial<NormaliseRules> = {}): unknown {
  return normaliseChatRequest(body, { ...NORMALISE_DEFAULTS, ...rules });
}

function withArguments(args: JsonValue): JsonObject {
  const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: args } }];
  return { messages: [{ role: 'assistant', content: null, tool_calls: calls }] };
}

type Case = readonly [string, keyof NormaliseRules, JsonObject, JsonObject];

const CASES: readonly Case[] = [
  [
    'a system message in the middle joins the leading one',
    'systemInTheMiddle',
    { messages: [{ role: 'system', content: 'A' }, user, { role: 'system', content: 'B' }] },
    { messages: [{ role: 'system', content: 'A\n\nB' }, user] },
  ],
  [
    'a system message behind the user leads',
    'systemInTheMiddle',
    { messages: [user, { role: 'system', content: [{ type: 'text', text: 'B' }] }] },
    { messages: [{ role: 'system', content: 'B' }, user] },
  ],
  [
    'a developer is the system',
    'systemInTheMiddle',
    { messages: [{ role: 'developer', content: 'A' }, user] },
    { messages: [{ role: 'system', content: 'A' }, user] },
  ],
  [
    'what is no text in a system message is kept',
    'systemInTheMiddle',
    {
      messages: [
        { role: 'system', content: 'A' },
        { role: 'system', content: [{ type: 'x' }] },
      ],
    },
    { messages: [{ role: 'system', content: [{ type: 'text', text: 'A' }, { type: 'x' }] }] },
  ],
  [
    'tools of the vendor are left out, and the choice of one',
    'hostedTools',
    { messages: [], tools: [{ type: 'web_search' }, tool], tool_choice: { type: 'web_search' } },
    { messages: [], tools: [tool] },
  ],
  [
    'the choice of a tool that stays is kept',
    'hostedTools',
    {
      messages: [],
      tools: [tool, { type: 'web_search' }],
      tool_choice: { type: 'function', function: { name: 'f' } },
    },
    { messages: [], tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } } },
  ],
  [
    'a list without tools is left out',
    'hostedTools',
    {
      messages: [],
      tools: [{ type: 'web_search' }],
      tool_choice: 'auto',
      parallel_tool_calls: true,
    },
    { messages: [] },
  ],
  [
    'a tool is never deferred',
    'deferLoading',
    { messages: [], tools: [{ ...tool, defer_loading: true }] },
    { messages: [], tools: [tool] },
  ],
  [
    'a schema gets properties',
    'parameterProperties',
    { messages: [], tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] },
    { messages: [], tools: [tool] },
  ],
  [
    'a tool gets a schema',
    'parameterProperties',
    {
      messages: [],
      tools: [{ type: 'function', function: { name: 'f' } }],
      functions: [{ name: 'g' }],
    },
    { messages: [], tools: [tool], functions: [{ name: 'g', parameters }] },
  ],
  [
    'an empty tool result says so',
    'emptyToolResults',
    {
      messages: [
        { role: 'tool', tool_call_id: 'a', content: ' \n' },
        { role: 'tool', tool_call_id: 'b' },
      ],
    },
    {
      messages: [
        { role: 'tool', tool_call_id: 'a', content: '(no output)' },
        { role: 'tool', tool_call_id: 'b', content: '(no output)' },
      ],
    },
  ],
  [
    'a tool result of blocks becomes text',
    'toolResultBlocks',
    {
      messages: [
        {
          role: 'tool',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
    { messages: [{ role: 'tool', content: 'a\nb' }] },
  ],
  ['empty arguments become an object', 'callArguments', withArguments(''), withArguments('{}')],
  ['an object becomes text', 'callArguments', withArguments({ x: 1 }), withArguments('{"x":1}')],
  [
    'broken JSON is mended',
    'callArguments',
    withArguments("{x: 'y',}"),
    withArguments('{"x":"y"}'),
  ],
  ['null becomes an object', 'callArguments', withArguments('null'), withArguments('{}')],
  [
    'what cannot be read is kept as a value',
    'callArguments',
    withArguments('rm -rf'),
    withArguments('{"input":"rm -rf"}'),
  ],
];

describe('normaliseChatRequest', () => {
  test.each(CASES)('%s', (_, rule, body, expected) => {
    expect(normalise(body)).toEqual({ ok: true, body: expected, applied: [rule] });
    expect(normalise(body, { [rule]: false })).toEqual({ ok: true, body, applied: [] });
  });

  test('leaves alone what every server takes', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'A' },
        user,
        { role: 'assistant', content: 'x', tool_calls: [{ function: { arguments: '{"a": 1}' } }] },
        { role: 'tool', content: 'out' },
        { role: 'tool', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] },
      ],
      tools: [tool, { type: 'custom', custom: { name: 'p' } }],
      unknown: { kept: true },
    };
    const result = normaliseChatRequest(body, NORMALISE_DEFAULTS);
    expect(result).toEqual({ ok: true, body, applied: [] });
    expect(result.ok && result.body).toBe(body);
  });

  test('refuses images for upstreams that cannot see, and says which message has one', () => {
    const image = { type: 'image_url', image_url: { url: 'data:,' } };
    const body = { messages: [user, { role: 'user', content: [image] }] };
    expect(normalise(body, { images: 'refuse' })).toEqual({
      ok: false,
      error: {
        kind: 'invalid-request',
        message:
          'messages[1] has an image, and this upstream is configured as one that cannot see (normalise.images: refuse)',
      },
    });
  });

  test('says each rule once, whatever it changed', () => {
    const body = {
      messages: [
        { role: 'tool', content: '' },
        { role: 'tool', content: [] },
        { role: 'system', content: 'A' },
      ],
    };
    expect(normalise(body)).toEqual({
      ok: true,
      body: {
        messages: [
          { role: 'system', content: 'A' },
          { role: 'tool', content: '(no output)' },
          { role: 'tool', content: '(no output)' },
        ],
      },
      applied: ['emptyToolResults', 'toolResultBlocks', 'systemInTheMiddle'],
    });
  });
});
