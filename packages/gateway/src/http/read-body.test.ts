import { expect, test } from 'vitest';
import type { BodyLimit } from './body-limit.ts';
import type { HttpHandler } from './http-exchange.ts';
import {
  connectTo,
  lines,
  parseAnswer,
  rawRequest,
  readAll,
  readUntil,
} from './raw-request.case.ts';
import { runningServer } from './running-server.case.ts';
import { sendJson } from './send-json.ts';

const HEAD = ['POST /v1/chat HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];

const limitOf = (maxBytes: number): BodyLimit => ({ maxBytes, key: 'proxy.maxRequestBytes' });

const echo: HttpHandler = async ({ readBody, response }) => {
  sendJson(response, 200, { body: (await readBody(limitOf(10))).toString() });
};

test('a body of the largest size is read, and the next byte is too much', async () => {
  const server = await runningServer(echo);
  const send = (body: string): Promise<Response> =>
    fetch(`${server.url}/v1/chat`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });

  expect(await (await send('1234567890')).json()).toEqual({ body: '1234567890' });
  expect((await send('12345678901')).status).toBe(413);
});

test('a body that says it is too long is refused before it is sent', async () => {
  const server = await runningServer(echo);

  const answer = await rawRequest(server.port, lines(...HEAD, 'Content-Length: 99999999999'));

  expect(answer.status).toBe(413);
  expect(answer.body).toContain(
    'the body may have 10 bytes (proxy.maxRequestBytes), this one has 99999999999',
  );
});

test('a body that does not say is counted while it comes', async () => {
  const server = await runningServer(echo);
  const head = lines(...HEAD, 'Transfer-Encoding: chunked');

  const short = await rawRequest(server.port, `${head}5\r\n12345\r\n5\r\n67890\r\n0\r\n\r\n`);
  const long = await rawRequest(server.port, `${head}5\r\n12345\r\n6\r\n678901\r\n`);

  expect(short.body).toContain('1234567890');
  expect(long.status).toBe(413);
});

test('a client that sends on for a while still gets the answer', async () => {
  const server = await runningServer(echo);
  const socket = connectTo(server.port);
  socket.write(lines(...HEAD, 'Content-Length: 50000000'));
  const sent = new Promise<void>((resolve) => {
    socket.write(Buffer.alloc(50_000_000), () => resolve());
  });

  const answer = parseAnswer(await readAll(socket));
  await sent;

  expect(answer.status).toBe(413);
  expect(answer.headers['connection']).toBe('close');
});

test('a client that asks first is told to go on only where the body will be read', async () => {
  const server = await runningServer(echo);
  const ask = (length: number): string =>
    lines(...HEAD, 'Expect: 100-continue', `Content-Length: ${length}`);

  const wanted = connectTo(server.port);
  wanted.write(ask(2));
  await readUntil(wanted, '100 Continue');
  const rest = readAll(wanted);
  wanted.write('{}');
  const unwanted = await rawRequest(server.port, ask(100_000));

  expect(await rest).toContain('200 OK');
  expect(unwanted.status).toBe(413);
});

test('a client that goes away in the middle of its body is no failure of ours', async () => {
  const outcomes: unknown[] = [];
  const server = await runningServer(async ({ readBody }) => {
    await readBody(limitOf(1000)).catch((error: unknown) => {
      outcomes.push(error);
      throw error;
    });
  });
  const socket = connectTo(server.port);
  socket.write(`${lines(...HEAD, 'Content-Length: 100')}{"half`, () => socket.destroy());

  await expect.poll(() => outcomes).toEqual([expect.objectContaining({ name: 'ClientGoneError' })]);
  expect(server.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
});
