import { describe, expect, test } from 'vitest';
import { LivelyServer } from '../lively-server.case.ts';
import { httpGateway } from './http-gateway.case.ts';
import type { HttpGateway } from './http-gateway.case.ts';

const REVISION = '2026-07-28';

interface Lively extends HttpGateway {
  readonly made: LivelyServer[];
  /** Sends a request with headers that repeat it. */
  readonly ask: (method: string, params?: object, init?: RequestInit) => Promise<Response>;
}

/** With a client that is known, as it has been answered before, or with one that is not. */
async function lively(isKnown = false): Promise<Lively> {
  const made: LivelyServer[] = [];
  const make = (): LivelyServer['server'] => {
    const each = new LivelyServer('both');
    made.push(each);
    return each.server;
  };
  const gateway = await httpGateway({ lively: { make, eras: 'both' } });
  const ask: Lively['ask'] = (method, params = {}, init = {}) => {
    const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return fetch(gateway.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta, ...params } }),
      ...init,
    });
  };
  if (isKnown) await (await ask('tools/list')).text();
  return { ...gateway, made, ask };
}

describe.each([
  ['a client that is new', false],
  ['a client that is known', true],
])('modern requests over HTTP of %s', (_who, isKnown) => {
  test('of one id at once each get an answer of their own', async () => {
    const { ask } = await lively(isKnown);
    const asked = [
      ask('tools/list'),
      ask('prompts/list'),
      ask('tools/call', { name: 'nothing', arguments: {} }),
    ];
    const answers = asked.map(async (each) => (await each).text());
    const [tools = '', prompts = '', gone = ''] = await Promise.all(answers);
    expect(JSON.parse(tools)).toMatchObject({
      id: 7,
      result: { resultType: 'complete', tools: [{}, {}, {}, {}] },
    });
    expect(JSON.parse(prompts)).toMatchObject({ id: 7, result: { prompts: [{}] } });
    expect(gone).toContain('nothing');
  });

  test('are events where something is told before the result', async () => {
    const { ask } = await lively(isKnown);
    const response = await ask('tools/call', {
      name: 'progress',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
        progressToken: 'p',
      },
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(events).toHaveLength(4);
    expect(events[0]).toContain('"progressToken":"p"');
    expect(events.at(-1)).toContain('"id":7');
  });

  test('whose client goes away are taken back', async () => {
    const { ask, made } = await lively(isKnown);
    const away = new AbortController();
    const asked = ask('tools/call', { name: 'wait', arguments: {} }, { signal: away.signal });
    await expect.poll(() => made.map(({ waits }) => waits)).toEqual([1]);
    away.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => made.flatMap(({ ends }) => ends)).toEqual(['cancelled']);
  });

  test('say what they are and who answers', async () => {
    const { ask } = await lively(isKnown);
    const response = await ask('tools/call', { name: 'progress', arguments: {} });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      id: 7,
      result: {
        resultType: 'complete',
        _meta: {
          'io.modelcontextprotocol/serverInfo': { name: 'lively' },
          circuit_failure_rate: 0,
        },
      },
    });
  });

  test('that say something else of themselves than before are looked at closely', async () => {
    const { ask } = await lively(isKnown);
    const response = await ask('tools/call', {
      name: 'progress',
      arguments: {},
      _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION },
    });
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32_602 } });
    expect(response.status).toBe(400);
  });

  test.each([
    ['ping', {}, 404, -32_601],
    ['logging/setLevel', { level: 'info' }, 404, -32_601],
    [
      'tools/list',
      { _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } },
      400,
      -32_602,
    ],
    ['resources/read', { uri: 'none://' }, 400, -32_020],
  ])('are refused by the status of HTTP: %s %j', async (method, params, status, code) => {
    const { ask } = await lively(isKnown);
    const response = await ask(method, params);
    expect(await response.json()).toMatchObject({ id: 7, error: { code } });
    expect(response.status).toBe(status);
  });
});
