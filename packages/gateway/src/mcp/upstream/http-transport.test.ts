import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpTransport, STREAM_ENDED, TOO_LONG } from './http-transport.ts';

const MAX_BYTES = 10_000;

async function transportTo(answer: RequestListener): Promise<{
  readonly transport: HttpTransport;
  readonly heard: JSONRPCMessage[];
}> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new HttpTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    maxBytes: MAX_BYTES,
  });
  const heard: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void heard.push(message);
  await transport.start();
  onTestFinished(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  return { transport, heard };
}

const ASK = { jsonrpc: '2.0', id: 1, method: 'tools/call' } as const;
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} };
const STREAM = { 'content-type': 'text/event-stream' };

describe('a request over Streamable HTTP', () => {
  test('fails at once when its stream ends without an answer', async () => {
    const { transport, heard } = await transportTo((_request, response) => {
      response.writeHead(200, STREAM).write(': hello\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    await transport.send(ASK);
    await expect.poll(() => heard).toMatchObject([{ id: 1, error: { code: STREAM_ENDED } }]);
  });

  test.each([
    ['a stream', STREAM, `data: ${JSON.stringify(ANSWER)}\n\n`],
    ['a body', { 'content-type': 'application/json' }, JSON.stringify(ANSWER)],
  ])('that is answered by %s is answered once', async (_how, headers, body) => {
    const { transport, heard } = await transportTo((_request, response) => {
      response.writeHead(200, headers).end(body);
    });
    await transport.send(ASK);
    await expect.poll(() => heard).toEqual([ANSWER]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual([ANSWER]);
  });

  test('that is refused rejects, and is not answered besides', async () => {
    const { transport, heard } = await transportTo((_request, response) => {
      response.writeHead(503).end('busy');
    });
    await expect(transport.send(ASK)).rejects.toThrow('busy');
    expect(heard).toEqual([]);
  });

  test.each([
    ['a body', { 'content-type': 'application/json' }, '[1,'],
    ['an event', STREAM, 'data: '],
    ['an event of many lines', STREAM, 'data: 1\ndata: '],
  ])(
    'whose answer is too long fails, and the rest is not read: %s',
    async (_how, headers, head) => {
      let isGone = false;
      const { transport, heard } = await transportTo((_request, response) => {
        response.once('close', () => (isGone = true));
        response.writeHead(200, headers).write(head);
        const more = (): void => {
          while (!response.destroyed && response.write('1,\ndata: '.repeat(1000)));
        };
        response.on('drain', more);
        more();
      });
      await transport.send(ASK).catch(() => undefined);
      await expect
        .poll(() => heard)
        .toMatchObject([{ id: 1, error: { code: TOO_LONG, data: MAX_BYTES } }]);
      await expect.poll(() => isGone).toBe(true);
    },
  );

  test('is told of many events, however long they are together, and tells nobody what it is called', async () => {
    const told = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { data: 'x'.repeat(5000) },
    };
    let asked: IncomingHttpHeaders = {};
    const { transport, heard } = await transportTo((request, response) => {
      asked = request.headers;
      response.writeHead(200, STREAM);
      for (let at = 0; at < 10; at++) response.write(`data: ${JSON.stringify(told)}\r\n\r\n`);
      response.end(`data: ${JSON.stringify(ANSWER)}\n\n`);
    });
    await transport.send(ASK);
    await expect.poll(() => heard.at(-1)).toEqual(ANSWER);
    expect(heard).toHaveLength(11);
    expect(Object.keys(asked).filter((name) => name.includes('holdfast'))).toEqual([]);
  });

  test('of an error that never ends, only the beginning is read', async () => {
    const { transport } = await transportTo((_request, response) => {
      response.writeHead(500).write('x');
      const more = (): void => {
        while (!response.destroyed && response.write('y'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(transport.send(ASK)).rejects.toThrow('xyyy');
  });
});
