import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../testing/manual-clock.ts';
import { FakeConnection } from './fake-connection.case.ts';
import { News } from './news.ts';

const ANSWER = [
  ...['1', '0', '7', 'open', '1500', '1', 'probe_failed', null, 'a'],
  ...['0', '0', '0', '5', '0'],
];

function setUp(): { connection: FakeConnection; clock: ManualClock; news: News; heard: string[] } {
  const connection = new FakeConnection();
  const clock = new ManualClock();
  return { connection, clock, news: new News(connection, 'channel', clock), heard: [] };
}

const message = (circuit: unknown): string => JSON.stringify([circuit, ...ANSWER]);

describe('News', () => {
  it('tells listeners what was told to all', async () => {
    const { connection, news, heard } = setUp();
    void news.tell('search', ANSWER);
    await news.listen((circuit, { state, version }) =>
      heard.push(`${circuit} ${state} ${version}`),
    );
    connection.subscribers[0]!.heard(connection.sent[0]!.slice('publish '.length));

    expect(heard).toEqual(['search open 7']);
  });

  it('has one connection for all listeners, and none without', async () => {
    const { connection, news } = setUp();
    const listener = (): void => undefined;
    const stops = [await news.listen(listener), await news.listen(listener)];
    await stops[0]!();
    await stops[0]!();
    expect([connection.subscribers.length, connection.stopped]).toEqual([1, 0]);
    await stops[1]!();
    expect(connection.stopped).toBe(1);

    await news.listen(listener);
    expect(connection.subscribers).toHaveLength(2);
  });

  it('makes a connection anew that the client has given up, later each time', async () => {
    const { connection, clock, news, heard } = setUp();
    await news.listen((circuit) => heard.push(circuit));
    connection.subscribing = () => Promise.reject(new Error('no'));
    connection.subscribers[0]!.ended();
    const times: number[] = [];
    for (let seconds = 1; seconds <= 40; seconds++) {
      await clock.advance(1_000);
      if (connection.subscribers.length > times.length + 1) times.push(seconds);
    }
    connection.subscribing = () => Promise.resolve();
    await clock.advance(60_000);
    connection.subscribers.at(-1)!.heard(message('search'));

    expect(times).toEqual([1, 3, 7, 15, 31]);
    expect(heard).toEqual(['search']);
    expect(connection.stopped).toBe(connection.subscribers.length - 1);
  });

  it('does not come back when nobody listens any more', async () => {
    const { connection, clock, news } = setUp();
    const stop = await news.listen(() => undefined);
    connection.subscribers[0]!.ended();
    await stop();
    await clock.advance(60_000);

    expect(connection.subscribers).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('waits for a server that does not answer no longer than two seconds', async () => {
    const { connection, clock, news } = setUp();
    connection.subscribing = () => new Promise(() => undefined);
    let isDone = false;
    void news.listen(() => undefined).then(() => (isDone = true));
    await clock.advance(1_900);
    expect(isDone).toBe(false);
    await clock.advance(200);

    expect(isDone).toBe(true);
  });

  it('swallows what cannot be told, and tells nobody of endless names', async () => {
    const { connection, news } = setUp();
    const told = news.tell('search', ANSWER);
    connection.answer(new Error('READONLY'));
    await told;
    await news.tell('x'.repeat(1_001), ANSWER);
    expect(connection.sent).toHaveLength(1);
    void news.tell('x'.repeat(1_000), ANSWER);

    expect(connection.sent).toHaveLength(2);
  });

  it('hears nothing in what is no news', async () => {
    const { connection, news, heard } = setUp();
    await news.listen((circuit) => heard.push(circuit));
    for (const garbage of [
      '',
      '{',
      'null',
      '[]',
      '"search"',
      '["search"]',
      JSON.stringify(['search', ...ANSWER.with(3, 'ajar')]),
      message(1),
      message(null),
    ])
      connection.subscribers[0]!.heard(garbage);

    expect(heard).toEqual([]);
  });

  it('tries again soon after a connection that had come about', async () => {
    const { connection, clock, news } = setUp();
    await news.listen(() => undefined);
    connection.subscribing = () => Promise.reject(new Error('no'));
    connection.subscribers[0]!.ended();
    await clock.advance(3_000);
    connection.subscribing = () => Promise.resolve();
    await clock.advance(4_000);
    expect(connection.subscribers).toHaveLength(4);
    connection.subscribers[3]!.ended();
    await clock.advance(1_000);

    expect(connection.subscribers).toHaveLength(5);
  });

  it('does not care for the end of a connection that it has given up', async () => {
    const { connection, clock, news } = setUp();
    await news.listen(() => undefined);
    connection.subscribers[0]!.ended();
    connection.subscribers[0]!.ended();
    await clock.advance(60_000);

    expect(connection.subscribers).toHaveLength(2);
    expect(connection.stopped).toBe(1);
  });

  it('leaves nothing behind that would wait for who is ready', async () => {
    const { clock, news } = setUp();
    await news.listen(() => undefined);

    expect(clock.pendingTimers).toBe(0);
  });

  it('waits for nobody where the connection is still to be made again', async () => {
    const { connection, clock, news } = setUp();
    await news.listen(() => undefined);
    connection.subscribers[0]!.ended();
    let isDone = false;
    void news.listen(() => undefined).then(() => (isDone = true));
    await clock.advance(0);

    expect(isDone).toBe(true);
  });

  it('keeps no process alive', async () => {
    const kept: boolean[] = [];
    const clock = new ManualClock();
    const watched = {
      now: () => clock.now(),
      wallTime: () => clock.wallTime(),
      setTimer: (callback: () => void, delayMs: number, isBackground?: boolean) => {
        kept.push(isBackground !== true);
        return clock.setTimer(callback, delayMs);
      },
    };
    const connection = new FakeConnection();
    await new News(connection, 'channel', watched).listen(() => undefined);
    connection.subscribers[0]!.ended();

    expect(kept).toEqual([false, false]);
  });
});
