import type { JsonObject, JsonValue } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { responsesToChat } from './responses-to-chat.ts';

interface Chat {
  readonly body: JsonObject;
  readonly applied: readonly string[];
}

function translate(request: JsonObject, rules: Partial<NormaliseRules> = {}): Chat {
  const body = { model: 'm', input: 'Hi', ...request };
  const chat = responsesToChat(body, { ...NORMALISE_DEFAULTS, ...rules });
  if (!chat.ok) throw new Error(chat.error.message);
  return chat;
}

function messages(...input: readonly JsonObject[]): JsonValue | undefined {
  return translate({ input }).body['messages'];
}

const user = (content: JsonValue): JsonObject => ({ role: 'user', content });
const assistant = (text: string): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const call = (id: string, args = '{}'): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'read',
  arguments: args,
  status: 'completed',
});
const result = (id: string, output: JsonValue): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
const thought = (text: string): JsonObject => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  content: [{ type: 'reasoning_text', text }],
  encrypted_content: 'opaque',
});
const asked = (id: string, args = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
});
const tool = (id: string, content: string): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
});

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const read = { type: 'function', name: 'read', parameters: schema, strict: false };
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

test('a request of Codex is one that a local server takes', () => {
  const request = {
    model: 'm',
    input: [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'You are Codex.' }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment/>' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List files.' }] },
      thought('I look.'),
      { ...assistant('Looking.'), phase: 'commentary' },
      { ...call('c1', '{"cmd":"ls"}'), name: 'exec_command' },
      { ...call('c2'), name: 'spawn', namespace: 'multi_agent_v1' },
      result('c1', 'a.txt'),
      result('c2', [{ type: 'input_text', text: 'started' }]),
    ],
    tools: [
      { type: 'function', name: 'exec_command', strict: false, parameters: schema },
      {
        type: 'namespace',
        name: 'multi_agent_v1',
        description: 'Helpers.',
        tools: [
          { type: 'function', name: 'spawn', description: 'Starts one.', parameters: schema },
        ],
      },
      { type: 'custom', name: 'apply_patch', description: 'Patches.' },
      { type: 'web_search' },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'medium', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
    client_metadata: { a: 'b' },
    text: { verbosity: 'low' },
  };
  const { body, applied } = translate(request);
  expect(body).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'You are Codex.' },
      { role: 'user', content: '<environment/>\n\nList files.' },
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'I look.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'exec_command', arguments: '{"cmd":"ls"}' },
          },
          {
            id: 'c2',
            type: 'function',
            function: { name: 'multi_agent_v1__spawn', arguments: '{}' },
          },
        ],
      },
      tool('c1', 'a.txt'),
      tool('c2', 'started'),
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'exec_command', parameters: schema, strict: false },
      },
      {
        type: 'function',
        function: {
          name: 'multi_agent_v1__spawn',
          description: 'Helpers.\nStarts one.',
          parameters: schema,
        },
      },
      {
        type: 'function',
        function: {
          name: 'apply_patch',
          description: 'Patches.',
          parameters: {
            type: 'object',
            properties: { input: { type: 'string' } },
            required: ['input'],
            additionalProperties: false,
          },
          strict: false,
        },
      },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning_effort: 'medium',
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(applied).toEqual([
    'namespaceTools',
    'customTools',
    'hostedTools',
    'systemInTheMiddle',
    'unknownFields',
  ]);
});

describe('the system prompt', () => {
  test('is the instructions', () => {
    expect(translate({ instructions: 'Be kind.' }).body['messages']).toEqual([
      { role: 'system', content: 'Be kind.' },
      user('Hi'),
    ]);
  });

  test('keeps later messages apart, in their role, with the rule off', () => {
    const input = [user('Hi'), { role: 'developer', content: 'Now: plan.' }];
    const { body } = translate({ instructions: 'A', input }, { systemInTheMiddle: false });
    expect(body['messages']).toEqual([
      { role: 'system', content: 'A' },
      user('Hi'),
      { role: 'developer', content: 'Now: plan.' },
    ]);
  });
});

describe('what the user says', () => {
  const png = 'data:text/markdown;base64,' + Buffer.from('# Größe').toString('base64');
  test.each<[string, JsonValue, JsonValue]>([
    ['a text', 'Hi', 'Hi'],
    [
      'parts of text',
      [
        { type: 'input_text', text: 'A' },
        { type: 'text', text: 'B' },
      ],
      'A\n\nB',
    ],
    [
      'an image',
      [{ type: 'input_text', text: 'A' }, image],
      [{ type: 'text', text: 'A' }, imagePart],
    ],
    [
      'an image in detail',
      [{ ...image, detail: 'high' }],
      [{ ...imagePart, image_url: { ...imagePart.image_url, detail: 'high' } }],
    ],
    [
      'an image in a file of the vendor',
      [{ type: 'input_image', file_id: 'f' }],
      '(an image that this server cannot load)',
    ],
    ['a file of text', [{ type: 'input_file', filename: 'a.md', file_data: png }], 'a.md\n# Größe'],
    [
      'a PDF',
      [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' }],
      '(a file named a.pdf of type application/pdf that this server cannot read)',
    ],
    [
      'a file of the vendor',
      [{ type: 'input_file', file_id: 'f' }],
      '(a file that this server cannot read)',
    ],
  ])('as %s is passed on', (_, content, expected) => {
    expect(messages(user(content))).toEqual([user(expected)]);
  });

  test('in several messages in a row is one turn, as some templates insist', () => {
    expect(messages(user('A'), user([image]), user('B'))).toEqual([
      user([{ type: 'text', text: 'A' }, imagePart, { type: 'text', text: 'B' }]),
    ]);
  });

  test('is left out where it is nothing', () => {
    expect(messages(user(''), assistant('Hm?'))).toEqual([{ role: 'assistant', content: 'Hm?' }]);
  });
});

describe('a turn of the model', () => {
  test('is one message, whatever order its items have', () => {
    const input = [
      thought('1'),
      assistant('A'),
      call('a'),
      thought('2'),
      assistant('B'),
      call('b'),
      result('b', 'rb'),
      result('a', 'ra'),
      assistant('Done.'),
    ];
    expect(messages(...input)).toEqual([
      {
        role: 'assistant',
        content: 'A\n\nB',
        reasoning_content: '1\n\n2',
        tool_calls: [asked('a'), asked('b')],
      },
      tool('a', 'ra'),
      tool('b', 'rb'),
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  test('ends with the results of its calls', () => {
    expect(messages(call('a'), result('a', '1'), call('b'), result('b', '2'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', '1'),
      { role: 'assistant', content: '', tool_calls: [asked('b')] },
      tool('b', '2'),
    ]);
  });

  test('has its thoughts from the summary where there is nothing else, and none without a call', () => {
    const summary = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Short.' }] };
    expect(
      messages(summary, call('a'), result('a', 'x'), thought('Long.'), assistant('A')),
    ).toEqual([
      { role: 'assistant', content: '', reasoning_content: 'Short.', tool_calls: [asked('a')] },
      tool('a', 'x'),
      { role: 'assistant', content: 'A' },
    ]);
  });

  test('says what it refused to do', () => {
    const refusal = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] };
    expect(messages(refusal)).toEqual([{ role: 'assistant', content: 'No.' }]);
  });

  test('shows calls of built-in tools of the client as calls', () => {
    const shell = { type: 'local_shell_call', call_id: 'a', action: { command: ['ls'] } };
    const input = [shell, { type: 'local_shell_call_output', id: 'a', output: 'x' }];
    for (const hostedTools of [true, false]) {
      const { body } = translate({ input }, { hostedTools });
      const called = { name: 'local_shell', arguments: '{"command":["ls"]}' };
      expect(body['messages']).toEqual([
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'a', type: 'function', function: called }],
        },
        tool('a', 'x'),
      ]);
    }
  });
});

describe('a result', () => {
  test('follows its call, however late it comes', () => {
    expect(messages(call('a'), user('Wait'), result('a', 'x'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', 'x'),
      user('Wait'),
    ]);
  });

  test('that never came is said to be missing', () => {
    expect(messages(call('a'), user('Stop'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', '(no result: the call was not finished)'),
      user('Stop'),
    ]);
  });

  test('without a call is what the user says, as servers refuse it otherwise', () => {
    expect(messages(user('Hi'), result('z', 'x'))).toEqual([
      user('Hi\n\nWhat a tool returned for a call that is not shown here (z):\n\nx'),
    ]);
  });

  test('that comes in two pieces is one', () => {
    expect(messages(call('a'), result('a', '1'), result('a', '2'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', '1\n\n2'),
    ]);
  });

  test('belongs to the newest turn where a server gives the same ids again', () => {
    expect(messages(call('a'), user('Stop'), call('a'), result('a', 'x'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', '(no result: the call was not finished)'),
      user('Stop'),
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', 'x'),
    ]);
  });

  test('finds its call where two of a turn have the same id, or none', () => {
    expect(messages(call('a'), call('a'), result('a', '1'), result('a', '2'))).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a'), asked('a_1')] },
      tool('a', '1'),
      tool('a_1', '2'),
    ]);
    const bare = { type: 'function_call', name: 'read', arguments: '{}' };
    expect(messages(bare, { type: 'function_call_output', output: 'x' })).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('call_0')] },
      tool('call_0', 'x'),
    ]);
  });

  test('that is an image is shown in the message behind it', () => {
    const { body, applied } = translate({
      input: [call('a'), result('a', [image]), user('Well?')],
    });
    expect(body['messages']).toEqual([
      { role: 'assistant', content: '', tool_calls: [asked('a')] },
      tool('a', '(the image is in the next message)'),
      user([
        { type: 'text', text: 'What the tool returned as an image (a):' },
        imagePart,
        { type: 'text', text: 'Well?' },
      ]),
    ]);
    expect(applied).toContain('toolResultBlocks');
  });

  test('keeps its parts with the rule off', () => {
    const { body } = translate(
      { input: [call('a'), result('a', [image])] },
      { toolResultBlocks: false },
    );
    expect(body['messages']).toContainEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: [imagePart],
    });
  });
});

describe('items that Chat Completions does not have', () => {
  test('are left out where the vendor did what they tell of', () => {
    const { body, applied } = translate({
      input: [user('Hi'), { type: 'web_search_call', id: 'ws_1', status: 'completed' }],
    });
    expect(body['messages']).toEqual([user('Hi')]);
    expect(applied).toEqual(['hostedTools']);
  });

  test('of types nobody knows are left out with a note', () => {
    const { body, applied } = translate({ input: [user('Hi'), { type: 'brand_new', id: 'x' }] });
    expect(body['messages']).toEqual([user('Hi')]);
    expect(applied).toEqual(['unknownFields']);
  });

  test('of types nobody knows are refused with the rule off', () => {
    const request = { model: 'm', input: [user('Hi'), { type: 'brand_new' }] };
    const chat = responsesToChat(request, { ...NORMALISE_DEFAULTS, unknownFields: false });
    expect(chat).toMatchObject({
      ok: false,
      error: {
        message:
          'input[1].type: expected a message, a call, a result or reasoning, as the upstream speaks Chat Completions, got "brand_new"',
      },
    });
  });

  test.each(['compaction', 'compaction_trigger'])(
    'such as %s are refused where only the vendor can do what is meant',
    (type) => {
      const request = { model: 'm', input: [user('Hi'), { type }] };
      const chat = responsesToChat(request, NORMALISE_DEFAULTS);
      expect(chat).toMatchObject({ ok: false, error: { details: { param: 'input[1].type' } } });
    },
  );
});

describe('tools', () => {
  const choose = (choice: JsonValue): JsonObject => {
    const tools = [read, { ...read, name: 'list' }, { type: 'custom', name: 'patch' }];
    const { body } = translate({ tools, tool_choice: choice });
    const names = (body['tools'] as { function: { name: string } }[] | undefined)?.map(
      (offer) => offer.function.name,
    );
    return { names: names ?? [], choice: body['tool_choice'] ?? null };
  };

  test.each<[JsonValue, readonly string[], JsonValue]>([
    ['auto', ['read', 'list', 'patch'], 'auto'],
    ['none', ['read', 'list', 'patch'], 'none'],
    ['required', ['read', 'list', 'patch'], 'required'],
    [
      { type: 'function', name: 'list' },
      ['read', 'list', 'patch'],
      { type: 'function', function: { name: 'list' } },
    ],
    [
      { type: 'custom', name: 'patch' },
      ['read', 'list', 'patch'],
      { type: 'function', function: { name: 'patch' } },
    ],
    [{ type: 'web_search_preview' }, ['read', 'list', 'patch'], null],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'list' },
          { type: 'custom', name: 'patch' },
        ],
      },
      ['list', 'patch'],
      'required',
    ],
    [
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] },
      ['read', 'list', 'patch'],
      'none',
    ],
  ])('with the choice %j', (choice, names, expected) => {
    expect(choose(choice)).toEqual({ names, choice: expected });
  });

  test('lose what Chat Completions does not know, and keep it with the rule off', () => {
    const tools = [{ ...read, output_schema: {}, allowed_callers: ['direct'] }];
    const kept = { name: 'read', parameters: schema, strict: false };
    expect(translate({ tools }).body['tools']).toEqual([{ type: 'function', function: kept }]);
    const whole = { ...kept, output_schema: {}, allowed_callers: ['direct'] };
    expect(translate({ tools }, { unknownFields: false }).body['tools']).toEqual([
      { type: 'function', function: whole },
    ]);
  });

  test('are plain functions even where the rules for that are off, as Chat Completions has no other', () => {
    const tools = [{ type: 'namespace', name: 'n', tools: [read] }];
    const { body } = translate({ tools }, { namespaceTools: false, customTools: false });
    expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'n__read' } }]);
  });

  test('that are none leave no choice behind', () => {
    const { body } = translate({ tools: [], tool_choice: 'auto', parallel_tool_calls: true });
    expect(body).toEqual({ model: 'm', messages: [user('Hi')] });
  });
});

describe('settings', () => {
  test('are passed on under the names that servers know', () => {
    const { body } = translate({
      max_output_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      user: 'u',
      reasoning: { effort: 'low' },
    });
    expect(body).toEqual({
      model: 'm',
      messages: [user('Hi')],
      max_tokens: 9,
      temperature: 0,
      top_p: 0.5,
      user: 'u',
      reasoning_effort: 'low',
    });
  });

  test('that are null are left out', () => {
    const { body, applied } = translate({
      max_output_tokens: null,
      temperature: null,
      tools: null,
      reasoning: null,
      text: null,
      stream: null,
    });
    expect(body).toEqual({ model: 'm', messages: [user('Hi')] });
    expect(applied).toEqual([]);
  });

  test.each([
    ['minimal', 'low'],
    ['xhigh', 'high'],
    ['none', 'none'],
  ])('of the effort %s that servers refuse are the nearest they know', (effort, expected) => {
    expect(translate({ reasoning: { effort } }).body['reasoning_effort']).toBe(expected);
  });

  test('of an answer in a schema are passed on where there are no tools', () => {
    const format = { type: 'json_schema', name: 'size', schema, strict: true };
    const text = { format, verbosity: 'low' };
    expect(translate({ text }).body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'size', schema, strict: true },
    });
    expect(translate({ text: { format: { type: 'json_object' } } }).body).toMatchObject({
      response_format: { type: 'json_object' },
    });
    expect(translate({ text: { format: { type: 'text' } } }).body).not.toHaveProperty(
      'response_format',
    );
    expect(translate({ text, tools: [read] }).body).not.toHaveProperty('response_format');
  });

  test('that nobody knows are left out, and kept with the rule off', () => {
    const { body, applied } = translate({ metadata: { a: 'b' }, truncation: 'auto' });
    expect(body).toEqual({ model: 'm', messages: [user('Hi')] });
    expect(applied).toEqual(['unknownFields']);
    const kept = translate({ metadata: { a: 'b' }, seed: 7 }, { unknownFields: false });
    expect(kept.body).toMatchObject({ metadata: { a: 'b' }, seed: 7 });
  });
});
