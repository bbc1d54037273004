import { describe, expect, test } from 'vitest';
import { plainRequest } from './plain-request.ts';

const REVISION = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': REVISION };

function body(changes: object = {}, params: object = {}): Record<string, unknown> {
  const given = { name: 'echo', arguments: {}, _meta: META, ...params };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: given, ...changes };
}

const HEADERS = {
  'mcp-protocol-version': REVISION,
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

describe('a modern request', () => {
  test('is plain where its headers say what its body says', () => {
    expect(plainRequest(body(), HEADERS)).toEqual({ message: body(), revision: REVISION });
    const list = body({ method: 'tools/list' });
    const { 'mcp-name': _, ...unnamed } = { ...HEADERS, 'mcp-method': 'tools/list' };
    expect(plainRequest(list, unnamed)?.message).toEqual(list);
  });

  test.each<[string, unknown, Record<string, string | undefined>]>([
    ['it only tells something', notification(), {}],
    ['it is no message', body({ jsonrpc: '1.0' }), {}],
    ['it is a batch', [body()], {}],
    ['it says no revision', body({}, { _meta: {} }), {}],
    ['it is of a revision to come', body({}, { _meta: revised('2031-01-01') }), {}],
    ['it is of an older revision', body({}, { _meta: revised('2025-11-25') }), {}],
    ['the header has another revision', body(), { 'mcp-protocol-version': '2025-11-25' }],
    ['the header of the revision is missing', body(), { 'mcp-protocol-version': undefined }],
    ['the header has another method', body(), { 'mcp-method': 'tools/list' }],
    ['the header has another name', body(), { 'mcp-name': 'other' }],
    ['the name is written in Base64', body(), { 'mcp-name': '=?base64?ZWNobw==?=' }],
    ['the name is missing', body(), { 'mcp-name': undefined }],
    [
      'it asks who we are',
      body({ method: 'server/discover' }),
      { 'mcp-method': 'server/discover' },
    ],
    ['it is about a task', body({ method: 'tasks/get' }), { 'mcp-method': 'tasks/get' }],
  ])('is left to the SDK where %s', (_, given, headers) => {
    expect(plainRequest(given, { ...HEADERS, ...headers })).toBeUndefined();
  });
});

function notification(): object {
  const { id: _, ...told } = body();
  return told;
}

function revised(version: string): object {
  return { 'io.modelcontextprotocol/protocolVersion': version };
}
