import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { runningServer } from '../http/running-server.case.ts';
import { createSidecar } from './create-sidecar.ts';

async function started(): Promise<string> {
  const routes = createSidecar({ version: '1.2.3', maxBytes: () => 1000 });
  return `${(await runningServer(undefined, { routes })).url}/api/v1`;
}

async function ask(
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly json: JsonObject }> {
  const answer = await fetch(`${await started()}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: (await answer.json()) as JsonObject };
}

const CALL = '<tool_call>{"name": "ReadFile", "arguments": {"path": "a.ts",}}</tool_call>';
const TOOL = {
  name: 'read_file',
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
};

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
  ['parse', { text: '', tools: [{ name: '' }] }, 'tools: tool 1: expected a name'],
  ['parse', { text: '', format: 'klingon' }, 'klingon'],
  ['classify', { tool: 'bash', exit_code: 'one' }, 'exit_code'],
])('%s refuses %j, naming what is wrong', async (path, body, message) => {
  const { status, json } = await ask(path, body);
  expect(status).toBe(400);
  expect(json['error']).toMatchObject({ type: 'invalid_request_error' });
  expect(JSON.stringify(json)).toContain(message);
});

test('a body that is too long is refused before it is read', async () => {
  expect((await ask('parse', { text: 'x'.repeat(2000) })).status).toBe(413);
});

describe('the OpenAPI document', () => {
  interface Document {
    readonly openapi: string;
    readonly info: { readonly version: string };
    readonly paths: Readonly<Record<string, Described>>;
  }
  interface Described {
    readonly post: {
      readonly requestBody: { readonly content: Content };
      readonly responses: { readonly 200: { readonly content: Content } };
    };
  }
  interface Content {
    readonly 'application/json': { readonly schema: JsonObject };
  }

  test.each([
    ['parse', { text: CALL, tools: [TOOL] }, { text: CALL, unknown: 1 }],
    ['classify', { tool: 'bash', output: 'no' }, { output: 'no' }],
  ])('describes what %s takes and gives', async (name, good, bad) => {
    const answer = await fetch(`${await started()}/openapi.json`);
    const { openapi, info, paths } = (await answer.json()) as Document;
    expect([openapi, info.version]).toEqual(['3.1.0', '1.2.3']);
    const { post } = paths[`/api/v1/${name}`]!;
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    const takes = ajv.compile(post.requestBody.content['application/json'].schema);
    const gives = ajv.compile(post.responses[200].content['application/json'].schema);
    expect([takes(good), takes(bad)]).toEqual([true, false]);
    expect([gives((await ask(name, good)).json), gives({})]).toEqual([true, false]);
  });
});
