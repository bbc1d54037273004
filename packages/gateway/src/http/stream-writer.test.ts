import { expect, test } from 'vitest';
import { beginEventStream } from './begin-event-stream.ts';
import { connectTo, lines, parseAnswer, readAll, readUntil } from './raw-request.case.ts';
import { runningServer } from './running-server.case.ts';

const REQUEST = lines('POST /v1/chat HTTP/1.1', 'Host: localhost');

test('an event stream is not to be cached or buffered', async () => {
  const server = await runningServer(({ response }) =>
    beginEventStream(response, { 'x-holdfast-upstream': 'local' }).end('data: 1\n\n'),
  );

  const answer = await fetch(`${server.url}/v1/chat`, { method: 'POST' });

  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-holdfast-upstream': 'local',
  });
  expect(await answer.text()).toBe('data: 1\n\n');
});

test('what is written in one tick is sent as one chunk', async () => {
  const server = await runningServer(async ({ response }) => {
    const writer = beginEventStream(response);
    for (const text of ['a', 'b', 'c']) void writer.write(text);
    await new Promise((resolve) => setImmediate(resolve));
    await writer.write('d');
    await writer.end('e');
  });
  const socket = connectTo(server.port);
  socket.write(REQUEST);

  expect(parseAnswer(await readAll(socket)).body).toMatch(
    /^3\r\nabc\r\n(?:2\r\nde|1\r\nd\r\n1\r\ne)\r\n0\r\n\r\n$/,
  );
});

test('the client hears that it was let in before there is any text', async () => {
  let finish: (() => void) | undefined;
  const server = await runningServer(async ({ response }) => {
    const writer = beginEventStream(response);
    await new Promise<void>((resolve) => (finish = resolve));
    await writer.end();
  });
  const socket = connectTo(server.port);
  socket.write(REQUEST);

  expect(await readUntil(socket, '\r\n\r\n')).toContain('200 OK');
  finish?.();
});

test('trailers follow the text', async () => {
  const server = await runningServer(({ response }) =>
    beginEventStream(response, { trailer: 'x-calls' }).end('data: 1\n\n', { 'x-calls': '2' }),
  );
  const socket = connectTo(server.port);
  socket.write(REQUEST);

  expect(await readAll(socket)).toContain('0\r\nx-calls: 2\r\n');
});

test('a client that does not read makes the writer wait, and memory stays bounded', async () => {
  const piece = 'x'.repeat(64 * 1024);
  let written = 0;
  let most = 0;
  const server = await runningServer(async ({ response }) => {
    const writer = beginEventStream(response);
    for (; written < 64 * 1024 * 1024; written += piece.length) {
      await writer.write(piece);
      most = Math.max(most, response.writableLength);
    }
    await writer.end();
  });
  const socket = connectTo(server.port);
  socket.pause();
  socket.write(REQUEST);

  await expect.poll(() => written).toBeGreaterThan(0);
  let before = -1;
  const hasStopped = (): boolean => {
    const isSame = written === before;
    before = written;
    return isSame;
  };
  await expect.poll(hasStopped).toBe(true);
  expect(written).toBeLessThan(32 * 1024 * 1024);

  let received = 0;
  socket.on('data', (data) => (received += data.length));
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  expect(received).toBeGreaterThan(64 * 1024 * 1024);
  expect(most).toBeLessThan(1024 * 1024);
});

test('a client that goes away ends the wait, and every write after it', async () => {
  const outcomes: string[] = [];
  let count = 0;
  const server = await runningServer(async ({ response }) => {
    const writer = beginEventStream(response);
    const note = (error: unknown): void =>
      void outcomes.push(error instanceof Error ? error.name : 'no error');
    try {
      for (; ; count++) await writer.write('x'.repeat(64 * 1024));
    } catch (error) {
      note(error);
    }
    // Nobody waits for this one; it must not end the process.
    void writer.write('late');
    await writer.write('late').catch(note);
    await writer.end().catch(note);
  });
  const socket = connectTo(server.port);
  socket.write(REQUEST);
  socket.pause();
  await expect.poll(() => count).toBeGreaterThan(0);
  socket.destroy();

  await expect
    .poll(() => outcomes)
    .toEqual(['ClientGoneError', 'ClientGoneError', 'ClientGoneError']);
});

test('an end that meets a connection which is just gone is over, and says so', async () => {
  const outcomes: string[] = [];
  let signal: AbortSignal | undefined;
  const server = await runningServer(async ({ response, signal: given }) => {
    signal = given;
    const writer = beginEventStream(response);
    await writer.write('data: 1\n\n');
    // Gone, and nobody was told yet: what is sent now is dropped by Node without a word.
    response.socket?.destroy();
    await writer.end('data: 2\n\n').then(
      () => outcomes.push('sent'),
      (error: unknown) => outcomes.push(error instanceof Error ? error.name : 'no error'),
    );
  });
  const socket = connectTo(server.port);
  socket.write(REQUEST);

  await expect.poll(() => outcomes).toEqual(['ClientGoneError']);
  expect(signal?.aborted).toBe(true);
});
