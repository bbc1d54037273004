import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '@holdfast/core/parse';
import type { ToldTurn } from '../soak/clients/ask-turn.ts';
import { ALL_FAULTS } from '../soak/faults/all-faults.ts';
import { checkCallsComplete } from '../soak/invariants/calls-complete.ts';
import { EffectsOnce } from '../soak/invariants/effects-once.ts';
import { EventsInOrder } from '../soak/invariants/events-in-order.ts';
import { checkFlat } from '../soak/invariants/flat.ts';
import type { Sample } from '../soak/invariants/flat.ts';
import { checkTextConserved } from '../soak/invariants/text-conserved.ts';
import { Violations } from '../soak/invariants/violations.ts';
import { answerOf } from '../soak/model/turn-answer.ts';
import { OFFERED, textWithout, writeTurn } from '../soak/model/turn-script.ts';
import type { Turn } from '../soak/model/turn.ts';
import { planSlices } from '../soak/schedule.ts';
import type { Held } from '../soak/world/gateway-process.ts';
import { measureAtRest } from '../soak/world/measure-at-rest.ts';

const SEED = 7;

/** What was printed of rules that did not hold. */
function watch(): { readonly violations: Violations; readonly printed: string[] } {
  const printed: string[] = [];
  return { violations: new Violations(SEED, (line) => printed.push(line)), printed };
}

/** A turn with two calls, as a server has told it so far. */
function turnOf(sealed: number, isFinished: boolean): Turn {
  const ids = Array.from({ length: 200 }, (_, index) => `t${index}`);
  const scripts = ids.map((id) => writeTurn(SEED, id, { isWritten: true }));
  const script = scripts.find(({ calls }) => calls.length === 2)!;
  return { script, attempts: [{ server: 'alpha', sealed, isFinished, sentBytes: 1 }] };
}

const whole = ({ script }: Turn): ToldTurn => ({
  status: 200,
  text: textWithout(script, 2),
  calls: script.calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  finish: 'tool_calls',
  isDone: true,
  error: undefined,
});

const cut = (turn: Turn, calls: number, text: string): ToldTurn => ({
  ...whole(turn),
  text,
  calls: whole(turn).calls.slice(0, calls),
  finish: undefined,
  isDone: false,
  error: { message: 'the upstream broke off' },
});

describe('what the soak run draws from its seed', () => {
  test('is the same for the same seed, and another for another', () => {
    const plan = (seed: number): unknown =>
      planSlices({ seed, slices: 12, sliceMs: 9000, faults: ALL_FAULTS, faultsPerSlice: 4 });
    const draw = (seed: number): string => JSON.stringify([plan(seed), writeTurn(seed, 'a1')]);
    expect(draw(1)).toBe(draw(1));
    expect(draw(1)).not.toBe(draw(2));
  });

  test('has every fault in the four slices of the shortest run, of which the first is quiet', () => {
    const slices = planSlices({
      seed: SEED,
      slices: 4,
      sliceMs: 9000,
      faults: ALL_FAULTS,
      faultsPerSlice: 5,
    });
    const kinds = slices.flatMap(({ faults }) => faults.map(({ fault }) => fault.kind));
    expect(new Set(kinds)).toEqual(new Set(ALL_FAULTS.map(({ kind }) => kind)));
    expect(slices[0]?.faults).toEqual([]);
  });

  test('says calls that are read as they were meant, and texts that stay', () => {
    for (let turn = 0; turn < 300; turn++) {
      const script = writeTurn(SEED, `p${turn}`, { isWritten: true });
      const { text, calls } = parseToolCalls(textWithout(script, 0), { tools: OFFERED });
      expect(calls.map((call) => call.arguments)).toEqual(
        script.calls.map((call) => call.arguments),
      );
      expect(text).toBe(textWithout(script, script.calls.length));
    }
  });

  test.each(['chat', 'messages', 'responses'] as const)(
    'knows from which byte on a call of %s is complete',
    (protocol) => {
      for (let turn = 0; turn < 100; turn++) {
        const script = writeTurn(SEED, `b${turn}`);
        const { body, sealedAt, finishedAt } = answerOf(script, protocol, true);
        for (const [index, at] of sealedAt.entries()) {
          expect(at).toBeLessThan(finishedAt);
          expect(at).toBeGreaterThan(sealedAt[index - 1] ?? 0);
        }
        expect(finishedAt).toBeLessThanOrEqual(body.length);
      }
    },
  );
});

describe('the rules of the soak run', () => {
  test('hold for a turn that is told as it was said', () => {
    const { violations, printed } = watch();
    const turn = turnOf(2, true);
    checkCallsComplete(turn, whole(turn), violations);
    checkTextConserved(turn, whole(turn), violations);
    const text = textWithout(turn.script, 1).slice(0, 5);
    checkCallsComplete(turnOf(1, false), cut(turn, 1, text), violations);
    checkTextConserved(turnOf(1, false), cut(turn, 1, text), violations);
    expect(printed).toEqual([]);
  });

  test.each([
    ['a call that was not complete', turnOf(1, false), (turn: Turn) => cut(turn, 2, '')],
    ['an end that the model did not come to', turnOf(2, false), whole],
    ['one call of two', turnOf(2, true), (turn: Turn) => ({ ...cut(turn, 1, ''), ...WELL })],
    ['neither error nor end', turnOf(0, false), (turn: Turn) => ({ ...cut(turn, 0, ''), ...MUTE })],
    [
      'another call',
      turnOf(2, true),
      (turn: Turn) => ({ ...whole(turn), calls: whole(turn).calls.toReversed() }),
    ],
  ])('are broken by %s', (_, turn, told) => {
    const { violations } = watch();
    checkCallsComplete(turn, told(turn), violations);
    expect(violations.list).toMatchObject([{ invariant: 'calls-complete' }]);
  });

  test('are broken by a text that lacks a character, or has another', () => {
    const { violations } = watch();
    const turn = turnOf(2, true);
    const { text } = whole(turn);
    checkTextConserved(turn, { ...whole(turn), text: text.slice(1) }, violations);
    checkTextConserved(turn, { ...whole(turn), text: text.slice(0, -1) }, violations);
    checkTextConserved(turn, cut(turn, 2, `${text.slice(0, 4)}?`), violations);
    expect(violations.list).toHaveLength(3);
  });

  test.each([
    ['runs twice', ['pay', 'pay'], 'failed', true],
    ['runs though it was refused', ['pay'], 'refused', true],
    ['does not run though it was told as done', [], 'ok', true],
    ['runs once and is told as done', ['pay'], 'ok', false],
    ['may have run when it failed', [], 'failed', false],
    ['only reads, and runs twice', ['look', 'look'], 'ok', false],
  ] as const)('see a tool that %s', (_, ran, how, isWrong) => {
    const { violations } = watch();
    const effects = new EffectsOnce(violations);
    effects.begin('a1', ran[0] ?? 'pay');
    effects.ran(ran.map((tool) => ({ server: 'till', pid: 1, event: 'ran', tool, id: 'a1' })));
    effects.told('a1', { how, text: 'paid a1' });
    effects.settle();
    expect(violations.list.length > 0).toBe(isWrong);
  });

  test('see a tool that nobody called, and the result of another call', () => {
    const { violations } = watch();
    const effects = new EffectsOnce(violations);
    effects.ran([{ server: 'till', pid: 1, event: 'ran', tool: 'pay', id: 'a9' }]);
    effects.begin('a1', 'pay');
    effects.told('a1', { how: 'ok', text: 'paid a2' });
    expect(violations.list).toHaveLength(2);
  });

  test('see events that are missing, and none where their loss was told', () => {
    const { violations } = watch();
    const order = new EventsInOrder('a reader', violations);
    order.hear({ type: 'hello', id: undefined, data: '{"last_seq":3}' });
    order.hear({ type: 'turn-ended', id: 4, data: '{"seq":4}' });
    order.hear({ type: 'events-lost', id: undefined, data: '{"count":2}' });
    order.hear({ type: 'turn-ended', id: 7, data: '{"seq":7}' });
    expect(violations.list).toEqual([]);
    order.hear({ type: 'turn-ended', id: 9, data: '{"seq":9}' });
    expect(violations.list).toHaveLength(1);
  });

  test('see handles, buffers and a heap that grow, and tell time and seed', () => {
    const { violations, printed } = watch();
    const sample = (at: number, perSample: number): Sample => ({
      atSeconds: at,
      heapBytes: 40_000_000 + at * perSample * 1_000_000,
      externalBytes: 4_000_000 + at * perSample * 1_000_000,
      rssBytes: 150_000_000,
      openFiles: 40 + at * perSample,
      resources: 22,
      kinds: {},
    });
    const many = Array.from({ length: 31 }, (_, at) => at);
    checkFlat(
      many.map((at) => sample(at, 0)),
      violations,
    );
    expect(violations.list).toEqual([]);
    checkFlat(
      many.map((at) => sample(at, 1)),
      violations,
    );
    expect(printed).toHaveLength(3);
    expect(printed[0]).toMatch(/^VIOLATION of flat at \d{4}-.*Z, [\d.]+ s, seed 7: heapBytes grew/);
  });
});

describe('what a process holds', () => {
  /** Megabytes and open files, one look after the other; the last goes on. */
  async function measured(...looks: readonly (readonly [number, number])[]): Promise<unknown> {
    let look = 0;
    let waits = 0;
    const measure = (): Promise<Held> => {
      const [mb, openFiles] = looks[Math.min(look++, looks.length - 1)]!;
      return Promise.resolve({ ...HELD, rss: mb * 1024 * 1024, openFiles });
    };
    const { rss, openFiles } = await measureAtRest(measure, () => Promise.resolve(waits++));
    return [rss / 1024 / 1024, openFiles, waits];
  }

  test('is counted when memory and files that are given back late are gone', async () => {
    expect(await measured([319, 156], [260, 156], [188, 156], [188, 39])).toEqual([188, 39, 7]);
  });

  test('is what it is where nothing is given back', async () => {
    expect(await measured([319, 39])).toEqual([319, 39, 4]);
    expect(await measured([188, 39], [190, 39], [192, 40])).toEqual([188, 39, 4]);
  });

  test('is counted in the end where it never comes to rest', async () => {
    const falling = Array.from({ length: 200 }, (_, at) => [1000 - 2 * at, 39] as const);
    expect(await measured(...falling)).toEqual([840, 39, 80]);
  });
});

const HELD: Held = { rss: 0, heapUsed: 0, external: 0, resources: [], openFiles: 0 };
const WELL = { status: 200, finish: 'tool_calls', isDone: true, error: undefined };
const MUTE = { error: undefined };
