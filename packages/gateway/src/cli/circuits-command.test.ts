import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';
import { ANSWERS, CIRCUITS, ISOLATED, OPEN } from './stand-in-answers.case.ts';
import { standInGateway } from './stand-in-gateway.case.ts';
import type { StandInGateway } from './stand-in-gateway.case.ts';

let gateway: StandInGateway;
beforeEach(async () => {
  gateway = await standInGateway(ANSWERS);
});
afterEach(() => gateway.close());

async function ask(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = memoryIo({ env: { HOLDFAST_URL: gateway.url, TZ: 'UTC' } });
  const code = await run(args, io);
  return { code, out: io.out(), err: io.err() };
}

describe('holdfast circuits', () => {
  test('lists those first that let nothing through', async () => {
    const { code, out } = await ask('circuits');
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "STATE      CIRCUIT             CALLS  FAILED  RETRY IN  LAST CALLS       WHY
      isolated   payments                0       0     reset                   isolated: the bank is closed
      open       github:search          12       6      42 s  ......xxx?xx---  failure_ratio_exceeded
      half open  upstream lm-studio      3       0            ...              probe
      closed     read_file               3       0            ...
      "
    `);
  });

  test('prints JSON as the gateway has it', async () => {
    expect(JSON.parse((await ask('circuits', '--json')).out)).toEqual(CIRCUITS.circuits);
    expect(JSON.parse((await ask('circuits', 'github:search', '--json')).out)).toEqual(OPEN);
  });

  test('shows one with its history', async () => {
    const { out } = await ask('circuits', 'github:search');
    expect(out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')).toMatchInlineSnapshot(`
      "github:search
        state       open, tries again in 42 s
        since       TIME
        why         failure_ratio_exceeded
        window      12 calls, 6 failed, 1 slow
        in all      15 calls, 5 failed, 3 refused
        last calls  ......xxx?xx---

      history
        TIME  closed → open       failure_ratio_exceeded
        TIME  open → half open
      "
    `);
  });

  test('tells how it stands in the fleet, and by whose word', async () => {
    const replica = 'gw-2';
    const fleet = { state: 'half_open', version: 7, replica, calls: 9, failures: 1 };
    const change = { at: 0, from: 'closed', to: 'open', reason: 'isolated', note: 'x', replica };
    gateway.answers = { '/api/v1/circuits/x': { ...OPEN, fleet, history: [change] } };
    const { out } = await ask('circuits', 'x');
    expect(out).toContain('\n  fleet       half open by gw-2, 9 calls, 1 failed\n');
    expect(out).toContain('closed → open       isolated: x  by gw-2\n');
  });

  test('shows the last of many changes, and how many came before', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const change = (of: number) => ({ at, from: 'open', to: 'half_open', reason: `of ${of}` });
    const history = Array.from({ length: 40 }, (_, of) => change(of));
    gateway.answers = { '/api/v1/circuits/x': { ...OPEN, history } };
    const { out } = await ask('circuits', 'x');
    expect(out).toContain('… 28 earlier, which --json prints\n');
    expect(out.match(/open → half open {4}of \d+/g)).toEqual(
      Array.from({ length: 12 }, (_, index) => `open → half open    of ${index + 28}`),
    );
  });

  test('says that there are none yet', async () => {
    gateway.answers = { '/api/v1/circuits': { circuits: [] } };
    expect((await ask('circuits')).out).toBe(
      'There are no circuits yet: each is made by its first call.\n',
    );
  });

  test('shows no name that a terminal would obey', async () => {
    const circuit = { ...OPEN, name: '\x1b[2Jpay\nclosed', reason: '\x9b31m', history: [] };
    gateway.answers = {
      '/api/v1/circuits': { circuits: [circuit] },
      '/api/v1/circuits/x': circuit,
    };
    for (const args of [['circuits'], ['circuits', 'x'], ['circuits', '--json']]) {
      const { out } = await ask(...args);
      expect(out).not.toMatch(/[\x1b\x9b]/);
      expect(out).not.toContain('\nclosed');
    }
  });

  test('passes on what the gateway says of a circuit that is not there, and where the names are', async () => {
    expect(await ask('circuits', 'pya')).toEqual({
      code: 2,
      out: '',
      err: 'holdfast: there is no such thing here; holdfast circuits lists them\n',
    });
  });
});

describe('holdfast reset', () => {
  test('closes a circuit, with a note where there is one', async () => {
    expect(await ask('reset', 'github:search', '--note', 'mended')).toEqual({
      code: 0,
      out: 'github:search is closed: calls go through again\n',
      err: '',
    });
    await ask('reset', 'github:search');
    expect(gateway.asked).toEqual([
      'POST /api/v1/circuits/github%3Asearch/reset {"note":"mended"}',
      'POST /api/v1/circuits/github%3Asearch/reset {}',
    ]);
  });

  test('forgets where models begin to answer', async () => {
    gateway.answers = { '/api/v1/reasoning/reset': { forgotten: 2 } };
    expect(await ask('reset', '--reasoning', 'qwq')).toEqual({
      code: 0,
      out: '2 learned facts reset\n',
      err: '',
    });
    expect(JSON.parse((await ask('reset', '--reasoning', '--json')).out)).toEqual({ forgotten: 2 });
    expect(gateway.asked).toEqual([
      'POST /api/v1/reasoning/reset {"model":"qwq"}',
      'POST /api/v1/reasoning/reset {}',
    ]);
  });

  test('prints the circuit as JSON', async () => {
    const { out } = await ask('reset', 'github:search', '--json');
    expect(JSON.parse(out)).toMatchObject({ name: 'github:search', state: 'closed' });
  });

  test.each([
    [['reset'], 'expected the name of a circuit; holdfast circuits lists them'],
    [['reset', 'a', 'b'], 'expected one circuit, got a b'],
    [
      ['reset', '--reasoning', 'a', 'b'],
      '--reasoning: expected at most the name of a model, and no --note',
    ],
    [['circuits', 'a', 'b'], 'expected one circuit, got a b'],
    [
      ['isolate', 'a'],
      '--reason is missing; expected what those will read whose calls are refused',
    ],
    [
      ['isolate', 'a', '--reason', 'x', '--for', 'ever'],
      '--for: expected a duration such as 90s, 10m, 2h or 1d, got "ever"',
    ],
  ])('refuses %j', async (args, message) => {
    expect(await ask(...args)).toEqual({ code: 2, out: '', err: `holdfast: ${message}\n` });
    expect(gateway.asked).toEqual([]);
  });
});

describe('holdfast isolate', () => {
  test('opens a circuit for a while, and says how to undo it', async () => {
    expect(await ask('isolate', 'payments', '--reason', 'closed', '--for', '10m')).toEqual({
      code: 0,
      out:
        'payments is isolated for 10 min: its calls are refused\n' +
        'To let them through again: holdfast reset payments\n',
      err: '',
    });
    expect(gateway.asked).toEqual([
      'POST /api/v1/circuits/payments/isolate {"reason":"closed","for_seconds":600}',
    ]);
  });

  test('opens one until it is reset', async () => {
    gateway.answers = {
      '/api/v1/circuits/payments/isolate': { ...ISOLATED, name: "the bank's tool" },
    };
    const { out } = await ask('isolate', 'payments', '--reason', 'closed');
    expect(out).toBe(
      "the bank's tool is isolated until it is reset: its calls are refused\n" +
        "To let them through again: holdfast reset 'the bank'\\''s tool'\n",
    );
    expect(gateway.asked[0]).toBe('POST /api/v1/circuits/payments/isolate {"reason":"closed"}');
  });
});
