import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chatStreamOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import { root } from './support/repository.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';
import { until } from './support/until.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const COUNT = isFull ? 200 : 8;
/** With few streams, what the process itself takes meanwhile shows in the share of each. */
const MOST_BYTES = (isFull ? 256 : 384) * 1024;
const MEASURED: readonly Protocol[] = isFull ? ['chat', 'messages'] : ['chat'];

/** More than the buffers of two connections take. */
const LONG = chatStreamOf('word '.repeat(5_000_000), { cut: 2000 });

const MESSAGES = [{ role: 'user', content: 'Hi.' }];
const REQUESTS: Readonly<Record<Protocol, { readonly path: string; readonly body: object }>> = {
  chat: { path: '/v1/chat/completions', body: { messages: MESSAGES } },
  messages: { path: '/v1/messages', body: { messages: MESSAGES, max_tokens: 9 } },
  responses: { path: '/v1/responses', body: { input: MESSAGES } },
};

/** Asks for a stream, and reads no byte of it. */
async function askUnread(
  { url }: { readonly url: string },
  protocol: Protocol = 'chat',
): Promise<Socket> {
  const { port, hostname: host } = new URL(url);
  const socket = connect({ port: Number(port), host });
  onTestFinished(() => void socket.destroy());
  socket.pause().on('error', () => undefined);
  await once(socket, 'connect');
  const { path, body } = REQUESTS[protocol];
  const text = JSON.stringify({ model: 'm', stream: true, ...body });
  const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, 'content-type: application/json'];
  socket.write([...head, `content-length: ${text.length}`, '', text].join('\r\n'));
  return socket;
}

describe('a client that does not read its stream', () => {
  test('is given up after 5 minutes, and the upstream is not blamed', async () => {
    const clock = new ManualClock();
    const upstream = await startScriptedUpstream({ body: LONG, cut: 65_536 });
    const gateway = await startGatewayHere(
      { upstreams: [{ name: 'one', url: upstream.url }] },
      { clock },
    );
    onTestFinished(async () => {
      await upstream.close();
      await gateway.close();
    });
    await askUnread(gateway);
    await until(() => upstream.requests.length === 1);
    let isOver = false;
    const [request] = upstream.requests;
    void request!.over.then(() => (isOver = true));
    const isStuck = async (): Promise<boolean> => {
      for (let minute = 0; minute < 4; minute++) await clock.advance(60_000);
      return !isOver;
    };

    // Nothing is read while the buffers fill; every byte that goes out begins the five minutes again.
    expect(await isStuck()).toBe(true);
    await until(async () => {
      await clock.advance(15_000);
      return isOver;
    });
    expect(request!.aborted).toBe(true);
    const status = (await (await fetch(`${gateway.url}/api/v1/status`)).json()) as {
      readonly proxy: { readonly circuits: readonly { readonly failures: number }[] };
    };
    expect(status.proxy.circuits.map(({ failures }) => failures)).toEqual([0, 0]);
  });

  test.skipIf(process.platform === 'win32').each(MEASURED)(
    'costs at most 256 KB of memory, asked in %s',
    async (protocol) => {
      const upstream = await startFlood();
      const preload = join(root, 'test', 'support', 'memory-preload.mjs');
      const gateway = await startGateway(
        { upstreams: [{ name: 'one', url: upstream.url }], log: { level: 'error' } },
        ['--max-old-space-size=256', '--expose-gc', '--import', preload],
      );
      onTestFinished(async () => {
        await gateway.close();
        upstream.close();
      });
      /** Opens unread streams until no byte goes on, and returns what the gateway has in use. */
      const inUse = async (count: number): Promise<number> => {
        const sockets = await Promise.all(
          Array.from({ length: count }, () => askUnread(gateway, protocol)),
        );
        await expect.poll(() => upstream.open(), { timeout: 120_000 }).toBe(count);
        for (let before = -1; before !== upstream.bytes();) {
          before = upstream.bytes();
          await sleep(500);
        }
        const bytes = await bytesInUse(gateway);
        for (const socket of sockets) socket.destroy();
        await expect.poll(() => upstream.open(), { timeout: 120_000 }).toBe(0);
        return bytes;
      };

      // The first ones take what is never given back.
      await inUse(COUNT);
      const few = await inUse(1);
      const many = await inUse(COUNT);
      expect((many - few) / (COUNT - 1)).toBeLessThan(MOST_BYTES);
    },
    300_000,
  );
});

interface Flood {
  readonly url: string;
  /** How many responses are under way. */
  open(): number;
  /** How many bytes were sent. */
  bytes(): number;
  close(): void;
}

/** A model server that sends as fast as it is read, and never ends. */
async function startFlood(): Promise<Flood> {
  const chunk = Buffer.from(chatStreamOf('word '.repeat(20_000), { cut: 500, done: false }));
  const endless = chunk.subarray(0, chunk.lastIndexOf('data: ', chunk.indexOf('"stop"')));
  let open = 0;
  let bytes = 0;
  const server = createServer((request, response) => {
    request.resume();
    open++;
    response.on('close', () => open--);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (): void => {
      bytes += endless.length;
      response.write(endless, () => (response.destroyed ? undefined : send()));
    };
    send();
  });
  server.listen(0, '127.0.0.1', 1024);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    open: () => open,
    bytes: () => bytes,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bytesInUse({ pid, log }: RunningGateway): Promise<number> {
  const before = log().length;
  process.kill(pid, 'SIGUSR2');
  const found = (): RegExpExecArray | null => /in use: (\d+) bytes/.exec(log().slice(before));
  await until(() => found() !== null);
  return Number(found()![1]);
}
