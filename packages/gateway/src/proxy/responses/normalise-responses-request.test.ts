import type { JsonObject, JsonValue } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { normaliseResponsesRequest } from './normalise-responses-request.ts';

interface Normalised {
  readonly body: JsonObject;
  readonly applied: readonly string[];
}

function normalise(body: JsonObject, rules: Partial<NormaliseRules> = {}): Normalised {
  const normalised = normaliseResponsesRequest(
    { model: 'm', input: 'Hi', ...body },
    { ...NORMALISE_DEFAULTS, ...rules },
  );
  if (!normalised.ok) throw new Error(normalised.error.message);
  return normalised;
}

function items(...input: readonly JsonObject[]): JsonValue | undefined {
  return normalise({ input }).body['input'];
}

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const read = { type: 'function', name: 'read', parameters: schema, strict: false };
const user = { role: 'user', content: 'Hi' };

test('a request that needs nothing is the same object', () => {
  const body = {
    model: 'm',
    input: [
      { role: 'system', content: 'Be kind.' },
      user,
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm' }] },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path": "x"}' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
    ],
    tools: [read],
    tool_choice: {
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'function', name: 'read' }],
    },
    store: false,
    text: { verbosity: 'low' },
  };
  const normalised = normalise(body);
  expect(normalised.body).toEqual(body);
  expect(normalised.applied).toEqual([]);
  const again = normaliseResponsesRequest(body, NORMALISE_DEFAULTS);
  expect(again.ok && again.body).toBe(body);
});

describe('tools', () => {
  test('that the vendor runs are left out, and a choice of them too (llama.cpp refuses other types)', () => {
    const { body, applied } = normalise({
      tools: [read, { type: 'web_search' }, { type: 'local_shell' }, { type: 'tool_search' }],
      tool_choice: { type: 'web_search_preview' },
    });
    expect(body['tools']).toEqual([read]);
    expect(body).not.toHaveProperty('tool_choice');
    expect(applied).toEqual(['hostedTools']);
  });

  test('leave no empty list behind', () => {
    const { body } = normalise({
      tools: [{ type: 'web_search' }],
      tool_choice: 'required',
      parallel_tool_calls: true,
    });
    expect(body).toEqual({ model: 'm', input: 'Hi' });
  });

  test('in a namespace become plain ones, and so do their calls, results and the choice of one', () => {
    const { body, applied } = normalise({
      tools: [{ type: 'namespace', name: 'files', description: 'About files.', tools: [read] }],
      tool_choice: { type: 'function', name: 'read', namespace: 'files' },
      input: [
        { type: 'function_call', call_id: 'a', name: 'read', namespace: 'files', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          name: 'read',
          namespace: 'files',
          output: 'x',
        },
      ],
    });
    expect(body).toEqual({
      model: 'm',
      tools: [{ ...read, name: 'files__read', description: 'About files.' }],
      tool_choice: { type: 'function', name: 'files__read' },
      input: [
        { type: 'function_call', call_id: 'a', name: 'files__read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', name: 'files__read', output: 'x' },
      ],
    });
    expect(applied).toEqual(['namespaceTools']);
  });

  test('stay in their namespace with the rule off, mended there', () => {
    const tools = [
      { type: 'namespace', name: 'n', tools: [{ ...read, defer_loading: true }, read] },
    ];
    const { body } = normalise({ tools }, { namespaceTools: false });
    expect(body['tools']).toEqual([{ type: 'namespace', name: 'n', tools: [read, read] }]);
  });

  test('that take free text become functions, and so do their calls, results and the choice of one', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
    const { body, applied } = normalise({
      tools: [{ type: 'custom', name: 'patch', description: 'Patches.', format }],
      tool_choice: { type: 'custom', name: 'patch' },
      input: [
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'patch', input: '*** "x"' },
        { type: 'custom_tool_call_output', id: 'ctco_1', call_id: 'a', output: '' },
      ],
    });
    expect(body).toEqual({
      model: 'm',
      tools: [
        {
          type: 'function',
          name: 'patch',
          description: 'Patches.\n\ninput has to match this lark grammar:\nstart: "x"',
          parameters: {
            type: 'object',
            properties: { input: { type: 'string' } },
            required: ['input'],
            additionalProperties: false,
          },
          strict: false,
        },
      ],
      tool_choice: { type: 'function', name: 'patch' },
      input: [
        {
          type: 'function_call',
          call_id: 'a',
          name: 'patch',
          arguments: '{"input":"*** \\"x\\""}',
        },
        { type: 'function_call_output', call_id: 'a', output: '(no output)' },
      ],
    });
    expect(applied).toEqual(['customTools', 'emptyToolResults']);
  });

  test('tell of a long grammar in part only', () => {
    const format = { type: 'grammar', syntax: 'regex', definition: 'x'.repeat(100_000) };
    const { body } = normalise({ tools: [{ type: 'custom', name: 'f', format }] });
    const text = JSON.stringify(body['tools']);
    expect(text.length).toBeLessThan(9_000);
    expect(text).toContain('(cut here)');
  });

  test('that are allowed are named as they are offered', () => {
    const tools = [
      read,
      { type: 'custom', name: 'patch' },
      { type: 'namespace', name: 'n', tools: [read, { ...read, name: 'list' }] },
    ];
    const allow = (...allowed: readonly JsonObject[]): unknown =>
      normalise({
        tools,
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: allowed },
      }).body['tool_choice'];
    expect(
      allow(
        { type: 'function', name: 'read' },
        { type: 'custom', name: 'patch' },
        { type: 'namespace', name: 'n' },
        { type: 'web_search' },
      ),
    ).toEqual({
      type: 'allowed_tools',
      mode: 'required',
      tools: ['read', 'patch', 'n__read', 'n__list'].map((name) => ({ type: 'function', name })),
    });
    // Without a choice the model might call any of them.
    expect(allow({ type: 'web_search' })).toBe('none');
  });

  test('without properties get some, and deferred ones are plain', () => {
    const { body, applied } = normalise({
      tools: [{ type: 'function', name: 'now', parameters: null, defer_loading: true }],
    });
    const parameters = { type: 'object', properties: {} };
    expect(body['tools']).toEqual([{ type: 'function', name: 'now', parameters }]);
    expect(applied).toEqual(['deferLoading', 'parameterProperties']);
  });

  test('that came into the conversation later are offered once, from the start', () => {
    const list = { ...read, name: 'list' };
    const { body, applied } = normalise({
      tools: [{ ...read, defer_loading: true }],
      input: [
        user,
        { type: 'tool_search_call', call_id: 'a', arguments: {} },
        { type: 'tool_search_output', call_id: 'a', tools: [read, list] },
      ],
    });
    expect(body).toEqual({ model: 'm', tools: [read, list], input: [user] });
    expect(applied).toEqual(['deferLoading']);
  });
});

describe('the conversation', () => {
  test('has its system and developer messages in the instructions', () => {
    const { body, applied } = normalise({
      instructions: 'A',
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'B' }] },
        user,
        { role: 'system', content: 'C' },
      ],
    });
    expect(body).toEqual({ model: 'm', instructions: 'A\n\nB\n\nC', input: [user] });
    expect(applied).toEqual(['systemInTheMiddle']);
  });

  test('keeps a system message with an image where it is', () => {
    const image = { type: 'input_image', image_url: 'https://x/y.png' };
    const shown = { role: 'developer', content: [image] };
    expect(items(user, shown)).toEqual([user, shown]);
  });

  test('loses what the vendor did, and keeps what the client did', () => {
    const { body, applied } = normalise({
      input: [
        user,
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'local_shell_call', call_id: 'a', action: { command: ['ls'] } },
        { type: 'local_shell_call_output', id: 'a', output: 'x' },
      ],
    });
    expect(body['input']).toEqual([
      user,
      { type: 'function_call', call_id: 'a', name: 'local_shell', arguments: '{"command":["ls"]}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
    ]);
    expect(applied).toEqual(['hostedTools']);
  });

  test.each<[JsonValue, string]>([
    ['', '{}'],
    ['{"path": "a', '{"path":"a"}'],
    [{ path: 'a' }, '{"path":"a"}'],
  ])('has valid arguments in the place of %j', (args, expected) => {
    const call = { type: 'function_call', call_id: 'a', name: 'read', arguments: args };
    expect(items(call)).toEqual([{ ...call, arguments: expected }]);
  });

  test.each<[JsonValue]>([[''], [' \n'], [null], [[]], [[{ type: 'input_text', text: '' }]]])(
    'says so where the result %j is empty',
    (output) => {
      const result = { type: 'function_call_output', call_id: 'a', output };
      expect(items(result)).toEqual([{ ...result, output: '(no output)' }]);
    },
  );

  test('does not take an image for an empty result', () => {
    const output = [{ type: 'input_image', image_url: 'https://x/y.png' }];
    const result = { type: 'function_call_output', call_id: 'a', output };
    expect(items(result)).toEqual([result]);
  });

  test('is refused with an image where the upstream cannot see', () => {
    const image = { type: 'input_image', image_url: 'https://x/y.png' };
    const shown = [
      { role: 'user', content: [image] },
      { type: 'function_call_output', call_id: 'a', output: [image] },
    ];
    for (const item of shown) {
      const body = { model: 'm', input: [user, item] };
      const refused = normaliseResponsesRequest(body, { ...NORMALISE_DEFAULTS, images: 'refuse' });
      expect(refused).toMatchObject({ ok: false, error: { details: { param: 'input[1]' } } });
    }
  });

  test('stays as it is with all rules off', () => {
    const off: NormaliseRules = {
      systemInTheMiddle: false,
      deferLoading: false,
      hostedTools: false,
      namespaceTools: false,
      customTools: false,
      parameterProperties: false,
      emptyToolResults: false,
      toolResultBlocks: false,
      callArguments: false,
      unknownFields: false,
      images: 'pass',
    };
    const body = {
      model: 'm',
      input: [
        user,
        { role: 'developer', content: 'x' },
        { type: 'custom_tool_call', call_id: 'a', name: 'patch', namespace: 'n', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'a', output: '' },
        { type: 'web_search_call', id: 'ws_1' },
        { type: 'tool_search_output', tools: [read] },
        { type: 'local_shell_call', call_id: 'b', action: {} },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{' },
      ],
      tools: [
        { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'patch' }] },
        { type: 'function', name: 'f', defer_loading: true },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'web_search' },
    };
    const normalised = normaliseResponsesRequest(body, off);
    expect(normalised.ok && normalised.body).toBe(body);
  });
});
