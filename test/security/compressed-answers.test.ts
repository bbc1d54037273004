import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway, isFailure } from '../support/ask-gateway.ts';
import { chatBodyOf } from '../support/chat-stream-of.ts';
import { NEVER_OPENS } from '../support/never-opens.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';

const BOMB = Buffer.alloc(200_000_000, ' ');
const BOMBS: readonly (readonly [encoding: string, bytes: Uint8Array])[] = [
  ['gzip', gzipSync(BOMB)],
  ['deflate', deflateSync(BOMB)],
  ['br', brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
];
/** What a bomb may add to the memory of the gateway: a part of what it unpacks to. */
const MOST_BYTES = 60_000_000;

describe('compressed answers of a model server', () => {
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream({ body: '{}' });
    gateway = await startGateway({
      upstreams: [{ name: 'one', url: upstream.url, circuit: NEVER_OPENS }],
      proxy: { retry: { maxAttempts: 1 } },
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([gateway.close(), upstream.close()]);
  }, 30_000);

  test.each(BOMBS)('as %s are errors, and are not unpacked', async (encoding, bytes) => {
    const before = peakOf(gateway.pid);
    for (const type of ['application/json', 'text/event-stream']) {
      const headers = { 'content-type': type, 'content-encoding': encoding };
      upstream.answerWith({ headers, body: bytes });
      for (const stream of [true, false]) {
        const told = await askGateway(gateway.url, {
          protocol: 'messages',
          model: 'any',
          tools: [],
          stream,
        });
        expect(told).toSatisfy(isFailure);
      }
    }
    expect(peakOf(gateway.pid) - before).toBeLessThan(MOST_BYTES);
  });

  test('are not asked for, whatever the client takes', async () => {
    upstream.answerWith({ body: chatBodyOf('Hi') });
    const seen = upstream.requests.length;
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, br' },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(answer.status).toBe(200);
    expect(upstream.requests[seen]?.headers['accept-encoding']).toBe('identity');
  });

  test('that are passed on as they are stay packed', async () => {
    const [[encoding, bytes]] = BOMBS as [(typeof BOMBS)[number]];
    upstream.answerWith({ headers: { 'content-encoding': encoding }, body: bytes });
    const before = peakOf(gateway.pid);
    const answer = await fetch(`${gateway.url}/v1/files`, { method: 'GET' });
    await answer.body?.cancel();
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(peakOf(gateway.pid) - before).toBeLessThan(MOST_BYTES);
  });
});

/** The most memory a process ever had, where that is told; 0 elsewhere. */
function peakOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
