import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConnectionPool } from './connection-pool.ts';

interface Scene {
  readonly pool: ConnectionPool;
  readonly url: string;
  /** Connections that are open. */
  readonly open: Set<Socket>;
  /** How many were ever opened. */
  opened: number;
  /** Responses of which the first byte was sent. */
  readonly begun: ServerResponse[];
}

/** A server that begins each response, and would keep connections for ten minutes. */
async function startScene(): Promise<Scene> {
  const begun: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => {
    response.write('begin ');
    begun.push(response);
  });
  server.listen(0, '127.0.0.1', 1024);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const scene = {
    pool: new ConnectionPool(url, 5000, {}),
    url,
    open: new Set<Socket>(),
    opened: 0,
    begun,
  };
  server.on('connection', (socket: Socket) => {
    scene.opened++;
    scene.open.add(socket);
    socket.on('close', () => scene.open.delete(socket));
  });
  onTestFinished(async () => {
    await scene.pool.close();
    server.closeAllConnections();
    server.close();
  });
  return scene;
}

const signal = (): AbortSignal => new AbortController().signal;

describe('connections to an upstream', () => {
  test('are closed when 500 responses are aborted, and not opened again', async () => {
    const scene = await startScene();
    const { pool, url, open, begun } = scene;
    const responses = await Promise.all(
      Array.from({ length: 500 }, () => pool.request(url, { signal: signal() })),
    );
    expect(open.size).toBe(500);
    for (const { body } of responses) body.on('error', () => undefined).destroy();
    await expect.poll(() => open.size).toBe(0);

    const after = await pool.request(url, {});
    begun.at(-1)!.end('end');
    expect(await after.body.text()).toBe('begin end');
    expect([scene.opened, open.size]).toEqual([501, 1]);
  });

  test('are closed when requests are aborted before the response', async () => {
    const { pool, url, open } = await startScene();
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    const asked = aborts.map((abort) =>
      pool.request(url, { signal: abort.signal }).catch(() => undefined),
    );
    for (const abort of aborts) abort.abort();
    await Promise.all(asked);
    await expect.poll(() => open.size).toBe(0);
  });

  test('are used again after a complete response', async () => {
    const scene = await startScene();
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await scene.pool.request(scene.url, {});
      scene.begun.at(-1)!.end();
      await body.dump();
    }
    expect([scene.opened, scene.open.size]).toEqual([1, 1]);
  });

  test('are replaced where the server closed them', async () => {
    const scene = await startScene();
    for (let turn = 0; turn < 2; turn++) {
      const { body } = await scene.pool.request(scene.url, {});
      scene.begun.at(-1)!.end();
      expect(await body.text()).toBe('begin ');
      for (const socket of scene.open) socket.destroy();
      await expect.poll(() => scene.open.size).toBe(0);
    }
    expect(scene.opened).toBe(2);
  });
});
