import type { JsonObject, JsonValue } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { NORMALISE_DEFAULTS } from '../normalise-rules.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { messagesToChat } from './messages-to-chat.ts';

const NO_RULES: NormaliseRules = {
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

interface Chat {
  readonly body: JsonObject;
  readonly applied: readonly string[];
}

function translate(request: JsonObject, rules: Partial<NormaliseRules> = {}): Chat {
  const body = { model: 'm', max_tokens: 9, messages: [], ...request };
  const chat = messagesToChat(body, { ...NORMALISE_DEFAULTS, ...rules });
  if (!chat.ok) throw new Error(chat.error.message);
  return chat;
}

function messages(...list: readonly JsonObject[]): unknown {
  return translate({ messages: list }).body['messages'];
}

const user = (content: JsonValue): JsonObject => ({ role: 'user', content });
const assistant = (...content: readonly JsonObject[]): JsonObject => ({
  role: 'assistant',
  content,
});
const said = (text: string): JsonObject => ({ type: 'text', text });
const use = (id: string, input: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input,
});
const result = (content: JsonValue | undefined, more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: 'a',
  ...(content !== undefined && { content }),
  ...more,
});
const png = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
const image = { type: 'image', source: png };
const imagePart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

describe('the system prompt', () => {
  test.each([
    ['a text', 'Be kind.', 'Be kind.'],
    ['blocks', [{ ...said('A'), cache_control: { type: 'ephemeral' } }, said('B')], 'A\n\nB'],
  ])('that is %s is one system message', (_, system, content) => {
    expect(translate({ system }).body['messages']).toEqual([{ role: 'system', content }]);
  });

  test('that is empty is none', () => {
    expect(translate({ system: [] }).body['messages']).toEqual([]);
  });

  test('loses the line for accounting that would spoil every cache', () => {
    const system = [
      said('x-anthropic-billing-header: cc_version=2.1.325; cch=1f;'),
      said('You are'),
    ];
    expect(translate({ system }).body['messages']).toEqual([
      { role: 'system', content: 'You are' },
    ]);
  });

  test('takes in system messages behind the first turn (vllm #44000, #48874)', () => {
    const list = [user('Hi'), { role: 'system', content: 'Now: plan.' }, user('Go')];
    const { body, applied } = translate({ system: 'A', messages: list });
    expect(body['messages']).toEqual([
      { role: 'system', content: 'A\n\nNow: plan.' },
      { role: 'user', content: 'Hi\n\nGo' },
    ]);
    expect(applied).toContain('systemInTheMiddle');
  });

  test('leaves them where they are with the rule off', () => {
    const list = [user('Hi'), { role: 'system', content: [said('Now: plan.')] }];
    expect(translate({ messages: list }, { systemInTheMiddle: false }).body['messages']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Now: plan.' },
    ]);
  });
});

describe('what the user says', () => {
  test.each([
    ['text', 'Hi', 'Hi'],
    ['blocks of text', [said('A'), said('B')], 'A\n\nB'],
    ['an image', [said('See'), image], [said('See'), imagePart]],
    [
      'an image by its address',
      [{ type: 'image', source: { type: 'url', url: 'https://x/y.png' } }],
      [{ type: 'image_url', image_url: { url: 'https://x/y.png' } }],
    ],
    [
      'an image in a file of the vendor',
      [{ type: 'image', source: { type: 'file', file_id: 'f' } }],
      '(an image that this server cannot load)',
    ],
    [
      'a document of text',
      [{ type: 'document', title: 'T', source: { type: 'text', data: 'words' } }],
      'T\nwords',
    ],
    [
      'a document of blocks',
      [{ type: 'document', source: { type: 'content', content: [said('words')] } }],
      'words',
    ],
    [
      'a PDF',
      [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A' } }],
      '(a document of type application/pdf that this server cannot read)',
    ],
    [
      'a search result',
      [{ type: 'search_result', title: 'T', source: 'https://x', content: [said('found')] }],
      'T\nhttps://x\n\nfound',
    ],
  ])('as %s is passed on', (_, content, expected) => {
    expect(messages(user(content))).toEqual([{ role: 'user', content: expected }]);
  });

  test('in several messages in a row is one turn, as some templates insist', () => {
    expect(messages(user('A'), user([said('B'), image]))).toEqual([
      { role: 'user', content: [said('A'), said('B'), imagePart] },
    ]);
  });

  test('is refused where it has an image and the upstream cannot see', () => {
    const refuse = { ...NORMALISE_DEFAULTS, images: 'refuse' } as const;
    for (const content of [[image], [result([image])]]) {
      const chat = messagesToChat({ model: 'm', messages: [user(content)] }, refuse);
      expect(chat).toMatchObject({ ok: false, error: { kind: 'invalid-request' } });
    }
  });
});

describe('what the model said', () => {
  test('has its calls with their arguments as text', () => {
    expect(messages(assistant(said('Let me'), said(' see.'), use('a', { path: 'x' })))).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'Read', arguments: '{"path":"x"}' } },
        ],
      },
    ]);
  });

  test.each([
    ['nothing', undefined, '{}'],
    ['null', null, '{}'],
    ['an empty text', '', '{}'],
    ['cut JSON', '{"a":', '{}'],
    ['JSON as text', '{"a":1}', '{"a":1}'],
  ])('has valid arguments where they were %s', (_, input, expected) => {
    const call = { type: 'tool_use', id: 'a', name: 'Read', ...(input !== undefined && { input }) };
    expect(messages(assistant(call))).toMatchObject([
      { content: '', tool_calls: [{ function: { arguments: expected } }] },
    ]);
  });

  test('keeps its thinking with calls, and leaves it out elsewhere', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const redacted = { type: 'redacted_thinking', data: 'x' };
    expect(
      messages(assistant(thinking, use('a')), user('B'), assistant(redacted, thinking, said('C'))),
    ).toMatchObject([
      { role: 'assistant', reasoning_content: 'hm' },
      { role: 'user' },
      { role: 'assistant', content: 'C' },
    ]);
    expect(JSON.stringify(messages(assistant(thinking, said('C'))))).not.toContain('hm');
  });

  test('is left out where it was only thought', () => {
    expect(messages(user('A'), assistant({ type: 'thinking', thinking: 'hm' }), user('B'))).toEqual(
      [{ role: 'user', content: 'A\n\nB' }],
    );
  });

  test('goes on in the next message of its own', () => {
    expect(messages(assistant(said('Once ')), assistant(said('more')))).toEqual([
      { role: 'assistant', content: 'Once more' },
    ]);
  });
});

describe('tool results', () => {
  const tool = (content: unknown): JsonObject => ({
    role: 'tool',
    tool_call_id: 'a',
    content: content as string,
  });

  test.each([
    ['a text', result('ok'), 'ok'],
    ['blocks', result([said('A'), said('B')]), 'A\n\nB'],
    ['nothing (claude-code-proxy 67)', result(undefined), '(no output)'],
    ['an empty text', result(''), '(no output)'],
    ['white space', result(' \n'), '(no output)'],
    ['no blocks', result([]), '(no output)'],
    ['empty blocks', result([said('')]), '(no output)'],
    ['an error', result('no such file', { is_error: true }), 'Error: no such file'],
    [
      'an error that says so',
      result('<tool_use_error>x</tool_use_error>', { is_error: true }),
      '<tool_use_error>x</tool_use_error>',
    ],
    ['an empty error', result('', { is_error: true }), 'Error: (no output)'],
    [
      'a reference to a tool',
      result([{ type: 'tool_reference', tool_name: 'mcp__a__b' }]),
      'The tool mcp__a__b can be called now.',
    ],
    [
      'a search result',
      result([{ type: 'search_result', title: 'T', source: 's', content: [said('x')] }]),
      'T\ns\n\nx',
    ],
    [
      'a document',
      result([{ type: 'document', source: { type: 'text', data: 'words' } }]),
      'words',
    ],
  ])('as %s are tool messages', (_, block, content) => {
    expect(messages(user([block]))).toEqual([tool(content)]);
  });

  test('come before what the user says with them, in their order', () => {
    const other = { ...result('two'), tool_use_id: 'b' };
    expect(
      messages(assistant(use('a'), use('b')), user([said('Now'), result('one'), other])),
    ).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      tool('one'),
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'user', content: 'Now' },
    ]);
  });

  test('have their images in the user message behind them', () => {
    expect(messages(user([result([image]), said('And?')]))).toEqual([
      tool('(the image is in the next message)'),
      {
        role: 'user',
        content: [said('What the tool returned as an image (a):'), imagePart, said('And?')],
      },
    ]);
  });

  test('stay as they are with the rules off', () => {
    const list = [user([result([said('A')], { is_error: true }), result('')])];
    const { body, applied } = translate({ messages: list }, NO_RULES);
    expect(body['messages']).toEqual([tool([said('Error:'), said('A')]), tool('')]);
    expect(applied).toEqual([]);
  });
});

describe('tools', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const read = { name: 'Read', description: 'Reads.', input_schema: schema };
  const chatRead = {
    type: 'function',
    function: { name: 'Read', description: 'Reads.', parameters: schema },
  };

  test.each([
    ['plain', read, [], chatRead],
    ['custom', { ...read, type: 'custom' }, [], chatRead],
    ['cached', { ...read, cache_control: { type: 'ephemeral' } }, ['unknownFields'], chatRead],
    ['strict', { ...read, strict: true, input_examples: [] }, ['unknownFields'], chatRead],
    ['loaded later', { ...read, defer_loading: true }, ['deferLoading'], chatRead],
    [
      'without properties (LM Studio, claude-code-router #616)',
      { name: 'Now', input_schema: { type: 'object' } },
      ['parameterProperties'],
      {
        type: 'function',
        function: { name: 'Now', parameters: { type: 'object', properties: {} } },
      },
    ],
    [
      'without a schema',
      { name: 'Now' },
      ['parameterProperties'],
      {
        type: 'function',
        function: { name: 'Now', parameters: { type: 'object', properties: {} } },
      },
    ],
  ])('that are %s are functions', (_, tool, rules, expected) => {
    const { body, applied } = translate({ tools: [tool] });
    expect(body['tools']).toEqual([expected]);
    expect(applied).toEqual(rules);
  });

  test.each(['web_search_20250305', 'bash_20250124', 'text_editor_20250728', 'mcp_toolset'])(
    'of type %s are left out, as nobody here can run them',
    (type) => {
      const { body, applied } = translate({ tools: [read, { type, name: 'x' }] });
      expect(body['tools']).toEqual([chatRead]);
      expect(applied).toEqual(['hostedTools']);
    },
  );

  test('that are all left out take the choice with them', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const { body } = translate({ tools, tool_choice: { type: 'any' } });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
  });

  test('that are left out are not insisted on', () => {
    const tools = [read, { type: 'web_search_20250305', name: 'web_search' }];
    const { body } = translate({ tools, tool_choice: { type: 'tool', name: 'web_search' } });
    expect(body).not.toHaveProperty('tool_choice');
  });

  test('keep names that are long or odd', () => {
    const name = `mcp__${'x'.repeat(80)}.y`;
    const { body } = translate({ tools: [{ ...read, name }] });
    expect(body['tools']).toMatchObject([{ function: { name } }]);
  });

  test.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [
      { type: 'tool', name: 'Read' },
      { tool_choice: { type: 'function', function: { name: 'Read' } } },
    ],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
  ])('are chosen from by %j', (choice, expected) => {
    expect(translate({ tools: [read], tool_choice: choice }).body).toMatchObject(expected);
  });
});

describe('other fields', () => {
  test('have their names in Chat Completions', () => {
    const { body, applied } = translate({
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['##'],
      metadata: { user_id: 'u1' },
      stream: true,
    });
    expect(body).toEqual({
      model: 'm',
      messages: [],
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop: ['##'],
      user: 'u1',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(applied).toEqual([]);
  });

  const claudeCode = {
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high' },
    context_management: { edits: [] },
    anthropic_beta: ['x'],
  };

  test('that only Anthropic knows are left out (claude-code #77698, litellm #20021)', () => {
    const { body, applied } = translate(claudeCode);
    expect(body).toEqual({ model: 'm', messages: [], max_tokens: 9 });
    expect(applied).toEqual(['unknownFields']);
  });

  test('are kept with the rule off', () => {
    expect(translate(claudeCode, { unknownFields: false }).body).toMatchObject(claudeCode);
  });

  test('ask for an answer in a schema where there are no tools', () => {
    const schema = { type: 'object', properties: {} };
    const request = { output_config: { format: { type: 'json_schema', schema } } };
    expect(translate(request).body['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { schema },
    });
    const tools = [{ name: 'Read', input_schema: schema }];
    expect(translate({ ...request, tools }).body).not.toHaveProperty('response_format');
  });
});
