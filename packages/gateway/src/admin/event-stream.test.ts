import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callEnded, turnEnded } from '../observe/gateway-event.case.ts';
import { openEvents } from './event-reader.case.ts';
import { MOST_STREAMS } from './events-operation.ts';
import { runningAdmin } from './running-admin.case.ts';
import type { RunningAdmin } from './running-admin.case.ts';

/** Lets what was written to a socket be read: the clock of the API stands still meanwhile. */
async function tell({ clock }: RunningAdmin): Promise<void> {
  await clock.advance(25);
}

const emit = ({ watched }: RunningAdmin, id: string): void =>
  watched.reporter('mcp').ended(callEnded({ id }));

describe('the stream of events', () => {
  test('greets, and tells what happens as it happens', async () => {
    const running = await runningAdmin();
    emit(running, 'before');
    const stream = await openEvents(`${running.url}/api/v1/events`);
    expect(await stream.take(1)).toEqual([
      {
        id: undefined,
        type: 'hello',
        data: { version: '1.2.3', started_at: '2026-01-01T12:00:00.000Z', last_seq: 1 },
      },
    ]);
    emit(running, 'after');
    running.watched.reporter('proxy').emit(turnEnded());
    await tell(running);
    expect(await stream.take(2)).toMatchObject([
      {
        id: '2',
        type: 'call-ended',
        data: {
          seq: 2,
          at: '2026-01-01T12:00:00.000Z',
          source: 'mcp',
          id: 'after',
          duration_ms: 10,
        },
      },
      { id: '3', type: 'turn-ended', data: { source: 'proxy', is_stream: true } },
    ]);
  });

  test.each([
    ['Last-Event-ID', { 'last-event-id': '2' }, ''],
    ['?after', {}, '?after=2'],
    ['Last-Event-ID before ?after', { 'last-event-id': '2' }, '?after=0'],
  ])('goes on where it was cut off: %s', async (_, headers, query) => {
    const running = await runningAdmin();
    for (const id of ['1', '2', '3', '4']) emit(running, id);
    const stream = await openEvents(`${running.url}/api/v1/events${query}`, { headers });
    const [, ...events] = await stream.take(3);
    expect(events.map(({ id }) => id)).toEqual(['3', '4']);
    emit(running, '5');
    await tell(running);
    expect(await stream.take(1)).toMatchObject([{ id: '5' }]);
  });

  test('says how much was missed where it is no longer kept', async () => {
    const running = await runningAdmin();
    for (let id = 1; id <= 2500; id++) emit(running, String(id));
    const stream = await openEvents(`${running.url}/api/v1/events?after=100`);
    const [, lost, first] = await stream.take(3);
    expect(lost).toMatchObject({ id: undefined, type: 'events-lost', data: { count: 400 } });
    expect(first).toMatchObject({ id: '501' });
    const rest = await stream.take(1999);
    expect(rest.at(-1)).toMatchObject({ id: '2500' });
  });

  test('tells all that is kept to one who comes from an earlier run', async () => {
    const running = await runningAdmin();
    emit(running, 'a');
    const stream = await openEvents(`${running.url}/api/v1/events?after=5000`);
    const [hello, first] = await stream.take(2);
    expect(hello).toMatchObject({ data: { last_seq: 1 } });
    expect(first).toMatchObject({ id: '1' });
  });

  test('tells only what is wanted', async () => {
    const running = await runningAdmin();
    const path = `${running.url}/api/v1/events?types=turn-ended,config-loaded&after=0`;
    emit(running, '1');
    const stream = await openEvents(path);
    await stream.take(1);
    emit(running, '2');
    running.watched.reporter('gateway').emit({ type: 'config-loaded', changed: ['proxy'] });
    await tell(running);
    expect(await stream.take(1)).toMatchObject([
      { id: '3', type: 'config-loaded', data: { changed: ['proxy'] } },
    ]);
  });

  test('tells lines of the log to those who want them', async () => {
    const running = await runningAdmin();
    running.logs.add('{"msg":"before"}');
    const [with_, without] = await Promise.all([
      openEvents(`${running.url}/api/v1/events?logs=1&types=log`),
      openEvents(`${running.url}/api/v1/events`),
    ]);
    await Promise.all([with_.take(1), without.take(1)]);
    running.logs.add('{"time":"2026-01-01T12:00:00.000Z","level":"warn","a":1,"msg":"now"}');
    emit(running, '1');
    await tell(running);
    expect(await with_.take(1)).toEqual([
      {
        id: undefined,
        type: 'log',
        data: { at: '2026-01-01T12:00:00.000Z', level: 'warn', message: 'now', fields: { a: 1 } },
      },
    ]);
    expect(await without.take(1)).toMatchObject([{ type: 'call-ended' }]);
  });

  test('says every quarter of a minute that it is still there', async () => {
    const running = await runningAdmin();
    const stream = await openEvents(`${running.url}/api/v1/events`);
    await stream.take(1);
    await running.clock.advance(15_000);
    expect(await stream.comment()).toBe('still here');
    await running.clock.advance(15_000);
    expect(await stream.comment()).toBe('still here');
  });

  test('ends when the gateway stops', async () => {
    const running = await runningAdmin();
    const stream = await openEvents(`${running.url}/api/v1/events`);
    await stream.take(1);
    running.admin.retire();
    await stream.ended;
  });

  test('leaves nothing behind when its client goes', async () => {
    const running = await runningAdmin();
    const timers = running.clock.pendingTimers;
    const stream = await openEvents(`${running.url}/api/v1/events?logs=1`);
    await stream.take(1);
    stream.cancel();
    await expect.poll(() => running.clock.pendingTimers).toBe(timers);
  });

  test('is open a hundred times at most', async () => {
    const { url } = await runningAdmin();
    const path = `${url}/api/v1/events`;
    const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, () => openEvents(path)));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await fetch(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    streams[0]?.cancel();
    await expect
      .poll(async () => {
        const again = await openEvents(path);
        again.cancel();
        return again.status;
      })
      .toBe(200);
  });

  test('keeps nothing for a client that does not read, and tells it later what it has missed', async () => {
    const running = await runningAdmin();
    const { hostname, port } = new URL(running.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(`GET /api/v1/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
    const heapBefore = heapUsed();
    // A hundred thousand events of half a kilobyte: fifty megabytes, had they been kept for it.
    const message = 'x'.repeat(199);
    for (let round = 0; round < 100; round++) {
      for (let event = 0; event < 1000; event++)
        running.watched.observer.emit('mcp', callEnded({ outcome: 'failed', message }));
      await tell(running);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((heapUsed() - heapBefore) / 1_000_000).toBeLessThan(15);
    let read = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (read += chunk));
    socket.resume();
    await expect
      .poll(
        async () => {
          await tell(running);
          return read;
        },
        { timeout: 10_000 },
      )
      .toMatch(/event: events-lost\ndata: \{"count":\d{5,}\}/);
  });
});

/** After all that can be forgotten was. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}
