import { describe, expect, test } from 'vitest';
import { runningSidecar } from './running-sidecar.case.ts';
import type { SidecarAnswer } from './running-sidecar.case.ts';

async function ask(path: string, body: unknown): Promise<SidecarAnswer> {
  return (await runningSidecar({ maxBytes: 1000 })).ask(path, body);
}

const CALL = '<tool_call>{"name": "ReadFile", "arguments": {"path": "a.ts",}}</tool_call>';
const TOOL = {
  name: 'read_file',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
};

const PRE = { request_id: 'r', name: 'a', args: {} };
const POST = { request_id: 'r', name: 'a', result: '' };
const BEFORE = { conversation_id: 'c', tool_name: 'a', tool_args: {} };
const AFTER = { conversation_id: 'c', tool_name: 'a', response: { message: '' } };

describe('parse', () => {
  test('gives calls, text and what was mended', async () => {
    const { status, json } = await ask('parse', { text: `Look: ${CALL}`, tools: [TOOL] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      text: 'Look: ',
      reasoning: '',
      issues: [],
      calls: [
        {
          name: 'read_file',
          arguments: { path: 'a.ts' },
          format: 'qwen',
          repairs: ['trailing-comma', 'tool-name'],
          complete: true,
          lossy: false,
        },
      ],
    });
  });

  const { name, input_schema: parameters } = TOOL;

  test.each([
    ['OpenAI', [{ type: 'function', function: { name, parameters } }]],
    ['Anthropic', [TOOL]],
    ['MCP', [{ name, inputSchema: parameters }]],
    ['a record', { [name]: { inputSchema: parameters } }],
  ])('takes tools in the shape of %s', async (_shape, tools) => {
    const { status, json } = await ask('parse', { text: CALL, tools });
    expect(status).toBe(200);
    expect(json['calls']).toMatchObject([{ name, arguments: { path: 'a.ts' } }]);
  });

  test('leaves text without markup alone where bare_calls is false', async () => {
    const text = 'read_file(path="a.ts")';
    const read = await ask('parse', { text, tools: [TOOL] });
    expect(read.json).toMatchObject({ text: '', calls: [{ name: 'read_file' }] });
    const left = await ask('parse', { text, tools: [TOOL], bare_calls: false });
    expect(left.json).toMatchObject({ text, calls: [] });
  });

  test('tells of a call of a tool that was not offered', async () => {
    const { json } = await ask('parse', { text: CALL, tools: [], unknown_tool: 'issue' });
    expect(json['issues']).toMatchObject([{ code: 'unknown-tool', offset: 0 }]);
    expect(json['calls']).toHaveLength(1);
  });
});

describe('classify', () => {
  test('gives the failure and its kind, and null for what is not known', async () => {
    const output = 'cat: x: No such file or directory';
    const failed = await ask('classify', { tool: 'bash', output, exit_code: 1 });
    expect(failed.json).toMatchObject({ status: 'failure', type: 'not_found', retryable: false });
    const fine = await ask('classify', { tool: 'bash', output: 'done', exit_code: 0 });
    expect(fine.json).toMatchObject({ status: 'success', type: null, parent: null });
  });
});

test.each([
  ['parse', {}, 'text'],
  ['parse', [], 'expected a JSON object, got a list'],
  ['parse', { text: 7 }, 'text'],
  ['parse', { text: '', tool: [] }, 'tool'],
  ['parse', { text: '', bare_calls: 'no' }, 'bare_calls'],
  [
    'parse',
    { text: '', tools: [{ name: '' }] },
    'tools[0].name: expected a string that is not empty',
  ],
  ['parse', { text: '', tools: { a: 1 } }, 'tools.a: expected a tool definition'],
  ['parse', { text: '', format: 'klingon' }, 'klingon'],
  ['classify', { tool: 'bash', exit_code: 'one' }, 'exit_code'],
  ['hooks/tool_pre_invoke', {}, 'request_id is missing: expected a string'],
  [
    'hooks/tool_pre_invoke',
    { request_id: '', name: 'a', args: {} },
    'request_id: expected at least',
  ],
  ['hooks/tool_pre_invoke', { request_id: 'x'.repeat(257), name: 'a', args: {} }, 'at most 256'],
  [
    'hooks/tool_pre_invoke',
    { request_id: 'r', name: 7, args: {} },
    'name: expected a string, got 7',
  ],
  ['hooks/tool_pre_invoke', { request_id: 'r', name: 'a', args: [] }, 'args: expected an object'],
  ['hooks/tool_pre_invoke', { ...PRE, headers: { a: 1 } }, 'headers.a: expected a string, got 1'],
  ['hooks/tool_pre_invoke', { ...PRE, server_id: 7 }, 'server_id: expected a string, got 7'],
  ['hooks/tool_pre_invoke', { ...PRE, tenant_id: null }, 'tenant_id: expected a string, got null'],
  ['hooks/tool_pre_invoke', { ...PRE, user: {} }, 'user: expected a string'],
  ['hooks/tool_pre_invoke', { ...PRE, conversation_id: '' }, 'conversation_id: expected at least'],
  ['hooks/tool_pre_invoke', { ...PRE, arguments: {} }, 'arguments is not known'],
  ['hooks/tool_post_invoke', { request_id: 'r', name: 'a' }, 'result is missing'],
  ['hooks/tool_post_invoke', { ...POST, timed_out: 'no' }, 'timed_out: expected a boolean'],
  ['hooks/tool_post_invoke', { ...POST, args: {} }, 'args is not known'],
  ['hooks/tool_execute_before', { ...BEFORE, tool_name: '' }, 'tool_name: expected at least 1'],
  ['hooks/tool_execute_before', { ...BEFORE, tool_args: 'x' }, 'tool_args: expected an object'],
  ['hooks/tool_execute_before', { ...BEFORE, data: {} }, 'expected one of the two, got both'],
  [
    'hooks/tool_execute_before',
    { ...BEFORE, conversation_id: 7 },
    'conversation_id: expected a str',
  ],
  ['hooks/tool_execute_before', { tool_name: 'a', tool_args: {} }, 'one of the two, got neither'],
  ['hooks/tool_execute_before', { ...BEFORE, call_id: 7 }, 'call_id: expected a string, got 7'],
  ['hooks/tool_execute_after', { ...AFTER, response: 'x' }, 'response: expected an object'],
  ['hooks/tool_execute_after', { ...AFTER, response: {} }, 'response.message is missing'],
  [
    'hooks/tool_execute_after',
    { ...AFTER, response: { message: '', additional: { exit_code: '1' } } },
    'response.additional.exit_code: expected an integer',
  ],
  [
    'hooks/tool_execute_after',
    { tool_name: 'a', response: { message: '' }, data: {} },
    'tool_args is missing: expected an object',
  ],
])('%s refuses %j, naming what is wrong', async (path, body, message) => {
  const { status, json } = await ask(path, body);
  expect(status).toBe(400);
  expect(json['error']).toMatchObject({ type: 'invalid_request_error' });
  expect(JSON.stringify(json)).toContain(message);
});

test('a body that is too long is refused before it is read', async () => {
  expect((await ask('parse', { text: 'x'.repeat(2000) })).status).toBe(413);
});

test('a secret that is quoted in a refusal is masked, in the answer and in the log', async () => {
  const { ask: askIt, log } = await runningSidecar();
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const { status, json } = await askIt('hooks/tool_pre_invoke', {
    ...PRE,
    headers: { authorization: [`Bearer ${secret}`] },
  });
  expect(status).toBe(400);
  expect(JSON.stringify([json, log.entries])).not.toContain(secret);
});
