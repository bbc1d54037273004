import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HttpTransport, STREAM_ENDED } from './http-transport.ts';

async function transportTo(answer: RequestListener): Promise<{
  readonly transport: HttpTransport;
  readonly heard: JSONRPCMessage[];
}> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new HttpTransport(new URL(`http://127.0.0.1:${port}/mcp`));
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
});
