import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { ADVICE_PREFIX, TOOL_OUTPUT_LABEL } from '@holdfast/core/advise';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { root } from './support/repository.ts';
import { scriptedModel, textAnswer } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

interface Block {
  readonly type: string;
  readonly text: string;
}

const redisPart = needsPart('redis-server');
const folder = mkdtempSync(join(tmpdir(), 'holdfast-signature-'));
const open: { close(): Promise<unknown> }[] = [];
let upstream: ScriptedUpstream;

beforeAll(async () => {
  upstream = await startScriptedUpstream(scriptedModel(() => textAnswer('messages', '')));
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** A gateway with a tool that always fails, and a model proxy. */
async function start(config: object = {}, adviceKeyFile?: string): Promise<GatewayHere> {
  const result = { content: [{ type: 'text', text: 'out of paper' }], isError: true };
  const server = {
    command: process.execPath,
    args: [join(root, 'test/support/shifty-server.mjs')],
    env: { SHIFTY_RESULT: JSON.stringify(result) },
  };
  const gateway = await startGatewayHere(
    {
      mcp: { servers: { notes: server } },
      upstreams: [{ name: 'model', url: upstream.url, protocols: ['messages'] }],
      ...config,
    },
    { adviceKeyFile },
  );
  open.push(gateway);
  return gateway;
}

/** What the tool answers to the calls of these ids, as Claude Code asks. */
async function callRead({ url }: GatewayHere, ids: readonly string[]): Promise<Block[][]> {
  const client = new Client({ name: 'claude-code', version: '2.1.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  open.push(client);
  const results: Block[][] = [];
  for (const id of ids) {
    const _meta = { 'claudecode/toolUseId': id };
    const { content } = await client.callTool({ name: 'read', arguments: { path: id }, _meta });
    results.push(content as Block[]);
  }
  return results;
}

/** What the upstream is sent of a conversation with these results. */
async function send(
  { url }: GatewayHere,
  results: readonly (readonly [id: string, content: readonly Block[] | string])[],
): Promise<readonly unknown[]> {
  const messages = results.flatMap(([id, content]) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'mcp__notes__read', input: { path: id } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: true }] },
  ]);
  const body = {
    model: 'm',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'Go.' }, ...messages],
  };
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  const asked = upstream.requests.at(-1)!.json as { readonly messages: readonly JsonObject[] };
  return asked.messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly JsonObject[]) : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => content);
}

const IDS = ['toolu_1', 'toolu_2'];

describe('advice of the MCP gateway in the model proxy', () => {
  test('is known again after a restart, and only on the call that it was given for', async () => {
    const file = join(folder, 'advice-key');
    const first = await start({}, file);
    const [plain, advised] = await callRead(first, IDS);
    expect(plain).toEqual([{ type: 'text', text: 'out of paper' }]);
    const [paper, advice, signature, ...more] = advised!;
    expect([paper, more]).toEqual([plain![0], []]);
    // The text is that of the advice alone; what it is known by comes after it.
    expect(advice!.text).toMatch(/^⚠️ Tool guidance: read failed 2 times in a row .*\.$/s);
    expect(signature!.text).toMatch(/^\[holdfast signature [\w-]{22}\]$/);
    const conversation = [
      ['toolu_1', plain!],
      ['toolu_2', advised!],
    ] as const;
    expect(await send(first, conversation)).toEqual([plain, advised]);
    // Some clients make one text of all of them.
    const joined = advised!.map(({ text }) => text).join('\n');
    expect(await send(first, [conversation[0], ['toolu_2', joined]])).toEqual([plain, joined]);
    await first.close();

    const second = await start({}, file);
    expect(await send(second, conversation)).toEqual([plain, advised]);
    const copied = await send(second, [...conversation, ['toolu_3', advised!]]);
    expect(copied.slice(0, 2)).toEqual([plain, advised]);
    expect(copied[2]).toEqual([
      paper,
      { ...advice!, text: TOOL_OUTPUT_LABEL + advice!.text },
      signature,
      { type: 'text', text: expect.stringContaining(`${ADVICE_PREFIX}mcp__notes__read`) as string },
    ]);
  });

  test('is known by other gateways with the same key, and by no others', async () => {
    const adviceKey = 'a key that several gateways have in common';
    const [one, other, stranger] = [
      await start({ adviceKey }),
      await start({ adviceKey }),
      await start(),
    ];
    const [plain, advised] = await callRead(one, IDS);
    const conversation = [
      ['toolu_1', plain!],
      ['toolu_2', advised!],
    ] as const;
    expect(await send(other, conversation)).toEqual([plain, advised]);
    const [, labelled] = await send(stranger, conversation);
    expect(JSON.stringify(labelled)).toContain(TOOL_OUTPUT_LABEL);
  });

  test.skipIf(redisPart.isMissing)(
    `is known by the gateways of a fleet${redisPart.why}`,
    async () => {
      const redis = await RedisServer.start();
      open.push({ close: () => redis.stop() });
      const store = redis.url;
      const [one, other] = [await start({ store }), await start({ store })];
      const [plain, advised] = await callRead(one, IDS);
      const conversation = [
        ['toolu_1', plain!],
        ['toolu_2', advised!],
      ] as const;
      expect(await send(other, conversation)).toEqual([plain, advised]);
    },
  );

  test('is not signed where no proxy could know it, nor where the call is not named', async () => {
    const alone = await start({ upstreams: undefined });
    const [, advised] = await callRead(alone, IDS);
    expect(advised!.at(-1)!.text).toMatch(/^⚠️ Tool guidance: /);
    const [, unnamed] = await callRead(await start(), ['', '']);
    expect(unnamed!.at(-1)!.text).toMatch(/^⚠️ Tool guidance: /);
  });
});
