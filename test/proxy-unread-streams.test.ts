import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chatStreamOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import { until } from './support/until.ts';

/** More than the buffers of two connections take. */
const LONG = chatStreamOf('word '.repeat(5_000_000), { cut: 2000 });

/** Asks for a stream, and reads no byte of it. */
async function askUnread(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.pause().on('error', () => undefined);
  await once(socket, 'connect');
  const body = JSON.stringify({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: '' }],
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
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
    await askUnread(Number(new URL(gateway.url).port));
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
});
