import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import type { MemoryIo } from './memory-io.case.ts';
import { run } from './run.ts';
import { standInGateway } from './stand-in-gateway.case.ts';
import type { EventStream, StandInGateway } from './stand-in-gateway.case.ts';

const AT = '2026-01-01T12:00:00.000Z';
const TURN = {
  at: AT,
  model: 'qwen3-coder',
  upstream: 'lm-studio',
  calls: [{ name: 'read_file' }, { name: 'grep' }],
  formats: ['qwen'],
  repairs: ['missing-brace'],
  issues: [],
  advice: [],
  attempts: 1,
  duration_ms: 812,
  error: null,
  is_aborted: false,
};
const CALL = {
  at: AT,
  server: 'github',
  tool: 'search',
  outcome: 'failed',
  class: 'server',
  message: 'HTTP 503',
  attempts: 3,
  duration_ms: 1500,
  repairs: [],
  advice: 'Wait.',
};
const LOG = {
  at: AT,
  level: 'warn',
  message: 'Circuit pay OPENED',
  fields: { circuit: 'pay' },
};

let gateway: StandInGateway;
let running: { io: MemoryIo; ended: Promise<number> } | undefined;
beforeEach(async () => {
  gateway = await standInGateway({ '/api/v1/logs': { lines: [LOG, { ...LOG, level: 'info' }] } });
});
afterEach(async () => {
  running?.io.signal('SIGINT');
  await running?.ended;
  running = undefined;
  await gateway.close();
});

function start(...args: string[]): MemoryIo {
  // Pauses are short, but not so short that only they run.
  const io = memoryIo({
    env: { HOLDFAST_URL: gateway.url },
    sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
  });
  running = { io, ended: run(args, io) };
  return io;
}

async function stream(number = 1): Promise<EventStream> {
  return vi.waitFor(() => {
    const opened = gateway.streams[number - 1];
    if (opened === undefined) throw new Error('nobody follows');
    return opened;
  });
}

const shown = (io: MemoryIo): string => io.out().replace(/^\d\d:\d\d:\d\d/gm, 'TIME');

describe('holdfast tail', () => {
  test('prints what happens, a line each, until it is told to stop', async () => {
    const io = start('tail');
    const events = await stream();
    events.send('hello', { started_at: AT, last_seq: 0 });
    events.send('turn-ended', TURN, 1);
    events.send(
      'turn-ended',
      { ...TURN, calls: [], error: { kind: 'upstream', message: 'refused' } },
      2,
    );
    events.send('turn-ended', { ...TURN, repairs: [], is_aborted: true }, 3);
    events.send('call-ended', CALL, 4);
    events.send(
      'call-ended',
      { ...CALL, outcome: 'ok', server: null, attempts: 1, message: null, advice: null },
      5,
    );
    events.send(
      'circuit-opened',
      { at: AT, circuit: 'pay', reason: 'isolated', open_for_ms: null },
      6,
    );
    events.send('circuit-half-opened', { at: AT, circuit: 'pay' }, 7);
    events.send('circuit-closed', { at: AT, circuit: 'pay', reason: 'probe_succeeded' }, 8);
    events.send(
      'server-changed',
      { at: AT, server: 'files', state: 'lost', reason: 'it ended' },
      9,
    );
    events.send(
      'tool-redefined',
      { at: AT, server: 'files', tool: 'read\u001b[2J', quarantined: true },
      10,
    );
    events.send('something-new', { at: AT }, 11);
    await vi.waitFor(() => expect(shown(io).split('\n')).toHaveLength(11));

    expect(shown(io)).toMatchInlineSnapshot(`
      "TIME  request  qwen3-coder  lm-studio  ok  812 ms  read_file, grep  (qwen; repaired: missing-brace)
      TIME  request  qwen3-coder  lm-studio  failed: refused  812 ms  (qwen; repaired: missing-brace)
      TIME  request  qwen3-coder  lm-studio  the client went away  812 ms  read_file, grep  (qwen)
      TIME  call     github/search  failed  1.5 s  HTTP 503  (server; 3 attempts; advised)
      TIME  call     search  ok  1.5 s
      TIME  circuit  pay  open  (isolated; until it is reset)
      TIME  circuit  pay  half open
      TIME  circuit  pay  closed  (probe_succeeded)
      TIME  server   files  lost  (it ended)
      TIME  tool     files/read<U+001B>[2J  is no longer what it was  (held back until it is approved)
      "
    `);
    expect(events.query).toContain('turn-ended,call-ended');
    io.signal('SIGINT');
    expect(await running?.ended).toBe(0);
    expect(io.err()).toBe('');
  });

  test('prints JSON, an object per line', async () => {
    const io = start('tail', '--json');
    (await stream()).send('call-ended', CALL, 4);
    await vi.waitFor(() => expect(io.out()).toContain('\n'));
    expect(JSON.parse(io.out())).toEqual({ type: 'call-ended', ...CALL });
  });

  test('shows nothing that a terminal would obey', async () => {
    const io = start('tail');
    (await stream()).send('call-ended', { ...CALL, tool: '\x1b[2J', message: 'a\nb\x9b1m' }, 4);
    await vi.waitFor(() => expect(io.out()).toContain('\n'));
    expect(io.out()).not.toMatch(/[\x1b\x9b]/);
    expect(io.out().trimEnd()).not.toContain('\n');
  });

  test('does not wait for the end of an event that has none', async () => {
    const io = start('tail');
    (await stream()).send('call-ended', { ...CALL, message: 'x'.repeat(20_000_000) }, 4);
    await vi.waitFor(() => expect(io.err()).toContain('told nothing; trying again'), 10_000);
    expect(io.out()).toBe('');
  });

  test('goes on where it was when the connection breaks', async () => {
    const io = start('tail');
    const first = await stream();
    first.send('hello', { started_at: AT, last_seq: 6 });
    first.send('circuit-half-opened', { at: AT, circuit: 'before' }, 7);
    await vi.waitFor(() => expect(io.out()).toContain('before'));
    first.end();
    const second = await stream(2);
    expect(second.lastEventId).toBe('7');
    second.send('hello', { started_at: AT, last_seq: 8 });
    second.send('circuit-half-opened', { at: AT, circuit: 'after' }, 8);
    await vi.waitFor(() => expect(io.out()).toContain('after'));
    expect(io.err()).toBe(
      `holdfast: ${gateway.url} is gone: it closed the connection; trying again\n` +
        `holdfast: ${gateway.url} is back\n`,
    );
  });

  test('follows a gateway that was started anew from its first event', async () => {
    const io = start('tail');
    const first = await stream();
    first.send('hello', { started_at: AT, last_seq: 6 });
    first.send('circuit-half-opened', { at: AT, circuit: 'before' }, 7);
    await vi.waitFor(() => expect(io.out()).toContain('before'));
    first.end();
    (await stream(2)).send('hello', { started_at: '2026-01-02T00:00:00.000Z', last_seq: 3 });
    const third = await stream(3);
    expect(third.lastEventId).toBe('0');
    third.send('hello', { started_at: '2026-01-02T00:00:00.000Z', last_seq: 3 });
    third.send('circuit-half-opened', { at: AT, circuit: 'new' }, 1);
    await vi.waitFor(() => expect(io.out()).toContain('new'));
    expect(gateway.streams).toHaveLength(3);
  });

  test('says how many events it missed', async () => {
    const io = start('tail');
    (await stream()).send('events-lost', { count: 3 });
    await vi.waitFor(() =>
      expect(io.err()).toBe('holdfast: 3 events came faster than could be told\n'),
    );
  });

  test('ends where no gateway answers, with what to do', async () => {
    const io = memoryIo();
    expect(await run(['tail', '--url', 'http://127.0.0.1:1'], io)).toBe(5);
    expect(io.err()).toContain('start one with holdfast start');
  });
});

describe('holdfast logs', () => {
  test('prints the last lines', async () => {
    const io = start('logs');
    expect(await running?.ended).toBe(0);
    expect(io.out()).toBe(
      '12:00:00.000 warn  Circuit pay OPENED circuit=pay\n' +
        '12:00:00.000 info  Circuit pay OPENED circuit=pay\n',
    );
    expect(gateway.asked).toEqual(['GET /api/v1/logs?limit=200']);
  });

  test('prints as many as are asked for, as JSON', async () => {
    const io = start('logs', '--json', '--lines', '2');
    expect(await running?.ended).toBe(0);
    expect(
      io
        .out()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([LOG, { ...LOG, level: 'info' }]);
    expect(gateway.asked).toEqual(['GET /api/v1/logs?limit=2']);
  });

  test('goes on with -f', async () => {
    const io = start('logs', '-f');
    const events = await stream();
    events.send('hello', { started_at: AT, last_seq: 0 });
    // It may be both among the last lines and among those to come.
    events.send('log', LOG);
    events.send('log', { ...LOG, message: 'one more', fields: {} });
    events.send('turn-ended', TURN, 1);
    events.send('logs-lost', { count: 2 });
    await vi.waitFor(() => expect(io.err()).toContain('2 lines came faster than could be told'));
    expect(io.out().trimEnd().split('\n')).toEqual([
      '12:00:00.000 warn  Circuit pay OPENED circuit=pay',
      '12:00:00.000 info  Circuit pay OPENED circuit=pay',
      '12:00:00.000 warn  one more',
    ]);
    events.end();
    gateway.answers = { '/api/v1/logs': { lines: [LOG, { ...LOG, message: 'in between' }] } };
    (await stream(2)).send('hello', { started_at: AT, last_seq: 1 });
    await vi.waitFor(() => expect(io.out()).toContain('in between'));
    expect(io.out().trimEnd().split('\n')).toHaveLength(4);
  });

  test.each(['0', '1001', 'x', '-1'])('refuses %s lines', async (lines) => {
    const io = start('logs', `--lines=${lines}`);
    expect(await running?.ended).toBe(2);
    expect(io.err()).toBe(
      `holdfast: --lines: expected a whole number from 1 to 1000, got "${lines}"\n`,
    );
  });
});
