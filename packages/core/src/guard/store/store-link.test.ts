import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import type { GuardEvent } from '../guard-event.ts';
import { StoreLink } from './store-link.ts';

interface LinkUnderTest {
  readonly clock: ManualClock;
  readonly link: StoreLink;
  readonly events: GuardEvent[];
  /** What its owner was told. */
  readonly said: string[];
  readonly ask: (question: () => Promise<unknown>) => void;
}

function setUp(isWatched = true): LinkUnderTest {
  const clock = new ManualClock();
  const events: GuardEvent[] = [];
  const said: string[] = [];
  const onEvent = isWatched ? (event: GuardEvent): void => void events.push(event) : undefined;
  const link = new StoreLink('r0', 500, resolveEnvironment({ clock, onEvent }), {
    lost: () => said.push('lost'),
    stirred: () => said.push('stirred'),
    found: () => said.push('found'),
  });
  const nobody = { answered: () => undefined, failed: () => undefined };
  return { clock, link, events, said, ask: (question) => link.ask(question, nobody) };
}

const refused = (error: Error) => () => Promise.reject(error);
const silent = (): Promise<unknown> => new Promise(() => undefined);
const answered = (): Promise<unknown> => Promise.resolve('yes');

describe('the way to a store', () => {
  it('is lost after two failures in a row, and told of once', async () => {
    const { clock, link, events, said, ask } = setUp();
    for (const question of [refused(new Error('no')), answered, refused(new Error('no'))]) {
      ask(question);
      await clock.advance(0);
    }
    expect(link.isDegraded).toBe(false);
    expect(link.reason).toBeUndefined();
    for (let loss = 0; loss < 3; loss++) ask(refused(new Error('connect ECONNREFUSED')));
    await clock.advance(0);

    expect(said).toEqual(['lost']);
    expect(link.reason).toBe('connect ECONNREFUSED');
    expect(events).toEqual([
      {
        type: 'store-degraded',
        replica: 'r0',
        reason: 'error',
        message: 'connect ECONNREFUSED',
      },
    ]);
  });

  it('is lost where no answer comes in time, and says how long that was', async () => {
    const { clock, link, events, ask } = setUp();
    ask(silent);
    ask(silent);
    await clock.advance(499);
    expect(link.isDegraded).toBe(false);
    await clock.advance(51);

    expect(link.unanswered).toBe(2);
    expect(events).toMatchObject([{ reason: 'timeout', message: 'no answer within 500 ms' }]);
  });

  it.each([
    [
      new Error('redis://user:hunter2hunter2@10.0.0.1 is away'),
      'redis://user:***@10.0.0.1 is away',
    ],
    // A client may reject with anything.
    ['no more' as unknown as Error, 'no more'],
    [new Error('x'.repeat(10_000)), 'x'.repeat(200)],
  ])('tells what the store said, in short and without secrets', async (error, message) => {
    const { clock, link, ask } = setUp();
    for (let loss = 0; loss < 2; loss++) ask(refused(error));
    await clock.advance(0);

    expect(link.reason).toBe(message);
  });

  it('is found once, and only where it was lost', async () => {
    const { clock, link, events, said, ask } = setUp();
    link.recovered();
    expect(said).toEqual([]);
    for (let loss = 0; loss < 2; loss++) ask(refused(new Error('no')));
    await clock.advance(0);
    link.recovered();
    link.recovered();

    expect(said).toEqual(['lost', 'found']);
    expect(events.at(-1)).toEqual({ type: 'store-recovered', replica: 'r0' });
    expect([link.isDegraded, link.reason]).toEqual([false, undefined]);
  });

  it('is lost and found where nobody watches', async () => {
    const { clock, link, said, ask } = setUp(false);
    for (let loss = 0; loss < 2; loss++) ask(refused(new Error('no')));
    await clock.advance(0);
    link.recovered();

    expect(said).toEqual(['lost', 'found']);
  });

  it('stirs where an answer comes that nobody waits for any more, while it is lost', async () => {
    const { clock, link, said, ask } = setUp();
    let answer = (): void => undefined;
    const late = (): Promise<void> => new Promise((resolve) => (answer = resolve));
    ask(late);
    await clock.advance(550);
    answer();
    await clock.advance(0);
    expect([said, link.unanswered]).toEqual([[], 0]);
    ask(late);
    ask(silent);
    await clock.advance(550);
    answer();
    await clock.advance(0);

    expect([said, link.unanswered]).toEqual([['lost', 'stirred'], 1]);
  });

  it('is idle when all is answered, refused or late, and at once where nothing is asked', async () => {
    const { clock, link, ask } = setUp();
    await link.idle();
    ask(answered);
    ask(refused(new Error('no')));
    ask(silent);
    let isIdle = false;
    void link.idle().then(() => (isIdle = true));
    await clock.advance(499);
    expect(isIdle).toBe(false);
    await clock.advance(51);

    expect(isIdle).toBe(true);
  });

  it('waits no longer for what was answered', async () => {
    const { clock, link, ask } = setUp();
    ask(answered);
    await clock.advance(5000);

    expect(link.unanswered).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is nobody to look after once it is closed', async () => {
    const { clock, link, ask } = setUp();
    for (let loss = 0; loss < 2; loss++) ask(refused(new Error('no')));
    await clock.advance(0);
    link.close();

    expect(link.isDegraded).toBe(false);
  });
});
