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
      message(1),
      message(null),
    ])
      connection.subscribers[0]!.heard(garbage);

    expect(heard).toEqual([]);
  });
});
