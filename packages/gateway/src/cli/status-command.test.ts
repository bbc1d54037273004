import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import type { MemoryIo } from './memory-io.case.ts';
import { run } from './run.ts';
import { ANSWERS, OVERVIEW, STATUS } from './stand-in-answers.case.ts';
import { standInGateway } from './stand-in-gateway.case.ts';
import type { StandInGateway } from './stand-in-gateway.case.ts';
import { statusScreen } from './status-screen.ts';
import { stylesFor } from './style.ts';

let gateway: StandInGateway | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

async function status(io: MemoryIo, ...args: string[]): Promise<number> {
  gateway ??= await standInGateway(ANSWERS);
  return run(['status', '--url', gateway.url, ...args], io);
}

/** A terminal on which a pause lasts until the test ends it. */
function terminal(): { io: MemoryIo; tick: () => void } {
  let end = (): void => undefined;
  const io = memoryIo({
    isTerminal: true,
    columns: 100,
    rows: 24,
    env: { NO_COLOR: '1' },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        // Nothing is slow enough here for progress to be shown.
        if (ms === 1000) end = resolve;
        signal?.addEventListener('abort', () => resolve());
      }),
  });
  return { io, tick: () => end() };
}

/** What a terminal shows that was drawn to. */
function lastFrame(io: MemoryIo): string {
  const frames = io.out().split('\x1b[H');
  return (
    (frames.at(-1) ?? '').replaceAll('\x1b[K', '').replaceAll('\r\n', '\n').split('\x1b')[0] ?? ''
  );
}

describe('holdfast status', () => {
  test('is JSON where nobody looks', async () => {
    const io = memoryIo();

    expect(await status(io)).toBe(0);
    expect(JSON.parse(io.out())).toEqual({
      url: gateway?.url,
      status: STATUS,
      overview: { since: OVERVIEW.since, totals: OVERVIEW.totals, latency_ms: OVERVIEW.latency_ms },
      circuits: ['payments', 'github:search', 'upstream lm-studio', 'read_file'].map(
        (name) => expect.objectContaining({ name }) as object,
      ),
    });
  });

  test('is a table once where that is asked for', async () => {
    const io = memoryIo();

    expect(await status(io, '--once')).toBe(0);
    expect(io.out().replace(gateway?.url ?? '', 'URL')).toMatchInlineSnapshot(`
      "Holdfast 0.1.0 at URL, up 3 min
      upstreams: lm-studio
      local-model at lm-studio starts in reasoning: true (an answer ended reasoning that it did not begin)
      servers: 1 of 2 connected
        files: lost, it ended with 1

      LAST 15 MINUTES  COUNT  FAILED  REFUSED     P50    P95    P99
      requests           412       3        0  812 ms  2.1 s  4.0 s
      tool calls       1,204      37       12   40 ms  1.2 s      –
      12 repairs, 4 retries, 1 timeout, 5 advised, 0 loops, 2 unread

      4 circuits, 3 not closed
      STATE      CIRCUIT             CALLS  FAILED  RETRY IN  LAST CALLS       WHY
      isolated   payments                0       0     reset                   isolated: the bank is closed
      open       github:search          12       6      42 s  ......xxx?xx---  failure_ratio_exceeded
      half open  upstream lm-studio      3       0            ...              probe
      closed     read_file               3       0            ...
      "
    `);
  });

  test('is drawn anew each second on a terminal, until q is pressed', async () => {
    const { io, tick } = terminal();
    const ended = status(io);
    await vi.waitFor(() => expect(lastFrame(io)).toContain('412'));
    expect(io.out()).toMatch(/^\x1b\[\?1049h\x1b\[\?25l\x1b\[H/);
    expect(lastFrame(io)).toMatch(/q ends$/);

    const totals = { ...OVERVIEW.totals, turns: 413 };
    gateway!.answers = { ...ANSWERS, '/api/v1/overview': { ...OVERVIEW, totals } };
    tick();
    await vi.waitFor(() => expect(lastFrame(io)).toContain('413'));
    expect(io.press('x')).toBe(true);
    io.press('q');
    expect(await ended).toBe(0);
    expect(io.out()).toContain('\x1b[?25h\x1b[?1049l');
    // What was seen last stays.
    expect(io.out().split('\x1b[?1049l')[1]).toContain('413');
    expect(io.press('x')).toBe(false);
  });

  test.each(['Ctrl-C', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'gives the terminal back at %s',
    async (how) => {
      const { io } = terminal();
      const ended = status(io);
      await vi.waitFor(() => expect(lastFrame(io)).toContain('412'));
      if (how === 'Ctrl-C') io.press('\x03');
      else io.signal(how);
      expect(await ended).toBe(0);
      expect(io.out()).toContain('\x1b[?25h\x1b[?1049l');
    },
  );

  test('says that the gateway is gone, and goes on when it is back', async () => {
    const { io, tick } = terminal();
    const ended = status(io);
    await vi.waitFor(() => expect(lastFrame(io)).toContain('412'));
    const port = Number(new URL(gateway!.url).port);
    await gateway!.close();
    tick();
    await vi.waitFor(() => expect(lastFrame(io)).toContain('no gateway answers at'));
    expect(lastFrame(io)).toContain('412');
    expect(lastFrame(io)).toContain('q ends, trying again: ');

    gateway = await standInGateway(ANSWERS, port);
    tick();
    await vi.waitFor(() => expect(lastFrame(io)).not.toContain('no gateway'));
    io.press('q');
    expect(await ended).toBe(0);
  });

  test('ends at once where no gateway answers, with what to do', async () => {
    const io = memoryIo({ isTerminal: true });
    expect(await run(['status', '--url', 'http://127.0.0.1:1'], io)).toBe(5);
    expect(io.err()).toContain('start one with holdfast start');
    expect(io.out()).toBe('');
  });

  test('draws nothing live on a terminal that cannot', async () => {
    const io = memoryIo({ isTerminal: true, columns: 100, env: { TERM: 'dumb' } });
    expect(await status(io)).toBe(0);
    expect(io.out()).not.toContain('\x1b');
    expect(io.out()).toContain('github:search');
  });
});

describe('the screen of status', () => {
  const styles = stylesFor(memoryIo());
  const circuits = Array.from({ length: 50 }, (_, index) => ({
    name: `circuit-${index}\x1b[2J`,
    state: 'closed',
    window: { calls: 1, failures: 0 },
    outcomes: 's',
  }));
  const given = { url: 'http://x', status: STATUS, overview: OVERVIEW, circuits };

  test.each([
    [80, 24],
    [40, 12],
    [20, 5],
  ])('fits into %i columns and %i lines, safely', (width, height) => {
    const lines = statusScreen(given, { width, height, styles });
    expect(lines.join('\n')).not.toContain('\x1b');
    if (height > 14) expect(lines).toHaveLength(height);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.max(width, 36));
    expect(lines.at(-1)).toMatch(/^and \d+ more: holdfast circuits$/);
  });

  test('has something to say of a gateway that has done nothing yet', () => {
    const lines = statusScreen(
      { url: 'http://x', status: {}, overview: {}, circuits: [] },
      { width: 80, height: 24, styles },
    );
    expect(lines.at(-1)).toBe('no circuits yet: each is made by its first call');
  });
});
