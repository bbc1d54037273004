import { ManualClock } from '@holdfast/core/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { TurnRetryConfig, UpstreamConfig } from '../../config/gateway-config.ts';
import type { TurnPlan } from '../turn-plan.ts';
import type { TurnError } from '../turn/turn-error.ts';
import { askUpstreams } from './ask-upstreams.ts';
import type { Answered, NotAnswered } from './ask-upstreams.ts';
import {
  answers,
  breaksOff,
  saysNothing,
  sendsOnlyAHead,
  startScriptedServer,
} from './scripted-server.case.ts';
import type { ScriptStep, ScriptedServer } from './scripted-server.case.ts';
import { Upstreams } from './upstreams.ts';
import type { Candidate } from './upstreams.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const FINE = answers(200, '{"fine": true}');
const BUSY = answers(503, '{"error": {"message": "busy"}}');

/** Upstreams with a script each, and a clock that is moved by hand. */
class Scene {
  readonly clock = new ManualClock();
  readonly servers: ScriptedServer[] = [];
  readonly failures: string[] = [];
  readonly abort = new AbortController();
  retry: TurnRetryConfig = CONFIG_DEFAULTS.proxy.retry;
  replan: (plan: TurnPlan, error: TurnError) => TurnPlan | undefined = () => undefined;
  upstreams = new Upstreams([]);

  static async of(
    scripts: readonly (readonly ScriptStep[])[],
    config: Partial<UpstreamConfig> = {},
  ): Promise<Scene> {
    const scene = new Scene();
    for (const script of scripts) scene.servers.push(await startScriptedServer(...script));
    const { clock } = scene;
    scene.upstreams = new Upstreams(
      scene.servers.map(({ url }, at) => ({
        ...CONFIG_DEFAULTS.upstream,
        name: `up${at}`,
        url,
        ...config,
      })),
      { clock },
    );
    closing.push(
      () => scene.upstreams.close(),
      ...scene.servers.map((server) => () => server.close()),
    );
    return scene;
  }

  get counts(): number[] {
    return this.servers.map((server) => server.count());
  }

  ask(): Promise<Answered | NotAnswered> {
    return askUpstreams({
      candidates: this.upstreams.candidates('m', (model) => model),
      plan: (candidate) => this.plan(candidate),
      replan: (plan, error) => this.replan(plan, error),
      retry: this.retry,
      signal: this.abort.signal,
      clock: this.clock,
      random: () => 1,
      onAsked: () => undefined,
      onFailure: ({ upstream }, { kind }) => this.failures.push(`${upstream.config.name} ${kind}`),
    });
  }

  plan(candidate: Candidate, promptedIn?: string): TurnPlan {
    const asked = {
      method: 'POST',
      path: '/x',
      headers: {},
      body: '{}',
      signal: this.abort.signal,
    };
    const translated = { ok: true, body: {}, applied: [] } as const;
    return { candidate, speaks: 'chat', promptedIn, translated, asked };
  }

  /** Lets the network do its work until something is so. */
  async until(isSo: () => boolean): Promise<void> {
    for (const started = Date.now(); !isSo();) {
      if (Date.now() - started > 5000) throw new Error('it did not come to that');
      await new Promise((resolve) => setTimeout(resolve, 2));
      await this.clock.advance(0);
    }
  }

  /** Moves the clock on, once somebody waits for it. */
  async advance(ms: number, afterFailures: number): Promise<void> {
    await this.until(() => this.failures.length >= afterFailures && this.clock.pendingTimers > 0);
    await this.clock.advance(ms);
  }
}

/** Which upstream answered, or what went wrong. */
function told(outcome: Answered | NotAnswered): string {
  if (!outcome.ok) return `${outcome.error.kind}: ${outcome.error.message}`;
  outcome.settle();
  return outcome.plan.candidate.upstream.config.name;
}

describe('failover', () => {
  test.each([
    ['answers 500', answers(500)],
    ['is overloaded', BUSY],
    ['asks for patience', answers(429, '{}', { 'retry-after': '30' })],
    ['does not have the model', answers(404)],
    ['breaks off', breaksOff],
    ['answers nothing', answers(200, '')],
  ])('goes to the next at once where one %s', async (_, step) => {
    const scene = await Scene.of([[step], [FINE]]);
    const outcome = await scene.ask();
    expect(told(outcome)).toBe('up1');
    expect([outcome.attempts, scene.counts, scene.clock.now()]).toEqual([2, [1, 1], 0]);
  });

  test.each([400, 401, 403, 413, 422])('does not follow a %s, which is told', async (status) => {
    const scene = await Scene.of([[answers(status, '{"error": "no"}')], [FINE]]);
    expect(told(await scene.ask())).toContain(`answered ${status}: no`);
    expect(scene.counts).toEqual([1, 0]);
  });

  test('goes on in the order of the file', async () => {
    const scene = await Scene.of([[BUSY], [breaksOff], [FINE]]);
    expect(told(await scene.ask())).toBe('up2');
    expect(scene.failures).toEqual(['up0 overloaded', 'up1 upstream']);
  });

  test('leaves one alone that could not be reached, and tries it again later', async () => {
    const scene = await Scene.of([[BUSY, BUSY, BUSY, BUSY, BUSY, FINE], [FINE]]);
    for (let turn = 0; turn < 7; turn++) expect(told(await scene.ask())).toBe('up1');
    expect(scene.counts).toEqual([5, 7]);
    scene.clock.skip(CONFIG_DEFAULTS.upstream.circuit.openForMs);
    expect(told(await scene.ask())).toBe('up0');
  });
});

describe('retry', () => {
  test('waits longer each time, and stops after the attempts it has', async () => {
    const scene = await Scene.of([[BUSY]]);
    const asking = scene.ask();
    await scene.advance(499, 1);
    expect(scene.counts).toEqual([1]);
    await scene.advance(1, 1);
    await scene.advance(999, 2);
    expect(scene.counts).toEqual([2]);
    await scene.advance(1, 2);
    expect(told(await asking)).toContain('answered 503: busy');
    expect(scene.counts).toEqual([3]);
  });

  test('waits as long as Retry-After asks, and no less', async () => {
    const scene = await Scene.of([[answers(429, '{}', { 'retry-after': '7' }), FINE]]);
    const asking = scene.ask();
    await scene.advance(6999, 1);
    expect(scene.counts).toEqual([1]);
    await scene.clock.advance(1);
    expect(told(await asking)).toBe('up0');
    expect(scene.clock.now()).toBe(7000);
  });

  test('reads a Retry-After that is a date', async () => {
    const scene = await Scene.of([[]]);
    const date = new Date(scene.clock.wallTime() + 5000).toUTCString();
    const server = await startScriptedServer(answers(503, '{}', { 'retry-after': date }), FINE);
    closing.push(() => server.close());
    scene.upstreams = new Upstreams(
      [{ ...CONFIG_DEFAULTS.upstream, name: 'dated', url: server.url }],
      { clock: scene.clock },
    );
    const asking = scene.ask();
    await scene.advance(4999, 1);
    expect(server.count()).toBe(1);
    await scene.clock.advance(1);
    expect(told(await asking)).toBe('dated');
  });

  test('does not wait longer than the client would: it is told when to ask again', async () => {
    const scene = await Scene.of([[answers(429, '{}', { 'retry-after': '60' }), FINE]]);
    const outcome = await scene.ask();
    expect(outcome).toMatchObject({ ok: false, error: { retryAfterMs: 60_000 }, attempts: 1 });
  });

  test('asks another while one has asked for patience', async () => {
    const patient = answers(429, '{}', { 'retry-after': '9' });
    const scene = await Scene.of([
      [patient, FINE],
      [BUSY, FINE],
    ]);
    const asking = scene.ask();
    await scene.advance(500, 2);
    expect(told(await asking)).toBe('up1');
    expect(scene.counts).toEqual([1, 2]);
  });

  test('is paid from a budget: a server that keeps failing is not asked three times as often', async () => {
    const scene = await Scene.of([[answers(500)]], {
      circuit: { ...CONFIG_DEFAULTS.upstream.circuit, consecutiveFailures: 1000, minCalls: 10_000 },
    });
    scene.retry = { ...scene.retry, baseDelayMs: 1, maxDelayMs: 1 };
    for (let turn = 0; turn < 80; turn++) {
      const asking = scene.ask();
      let isDone = false;
      void asking.then(() => (isDone = true));
      await scene.until(() => {
        if (scene.clock.pendingTimers > 0) void scene.clock.advance(1);
        return isDone;
      });
    }
    // 80 turns would be 240 requests; the budget holds 100 retries, and three in any second.
    expect(scene.counts[0]).toBeLessThan(80 + 100 + 10);
    expect(scene.counts[0]).toBeGreaterThan(80 + 90);
  });

  test('ends when the client goes away', async () => {
    const scene = await Scene.of([[BUSY]]);
    const asking = scene.ask();
    await scene.advance(1, 1);
    scene.abort.abort(new Error('gone'));
    await expect(asking).rejects.toThrow('gone');
    expect([scene.counts, scene.clock.pendingTimers]).toEqual([[1], 0]);
  });
});

describe('a limit of time', () => {
  test.each([
    ['its head', saysNothing],
    ['its first byte', sendsOnlyAHead],
  ])('holds until %s, and the turn goes elsewhere but not there again', async (_, step) => {
    const scene = await Scene.of([[step], [BUSY, FINE]], { firstByteTimeoutMs: 20_000 });
    const asking = scene.ask();
    await scene.until(() => scene.counts[0] === 1);
    await scene.clock.advance(19_999);
    expect(scene.failures).toEqual([]);
    await scene.clock.advance(1);
    await scene.advance(500, 2);
    expect(told(await asking)).toBe('up1');
    expect(scene.failures).toEqual(['up0 timeout', 'up1 overloaded']);
    expect(scene.counts).toEqual([1, 2]);
  });

  test('between chunks ends an answer', async () => {
    const drips: ScriptStep = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('a');
    };
    const scene = await Scene.of([[drips]], { idleTimeoutMs: 1000 });
    const outcome = await scene.ask();
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(String((await outcome.answer.next()).value)).toBe('a');
    outcome.answer.heard();
    const next = outcome.answer.next();
    const failed = expect(next).rejects.toThrow('no content came for 1000 ms');
    await scene.clock.advance(1000);
    await failed;
    outcome.release();
    expect(scene.clock.pendingTimers).toBe(0);
  });

  test('between chunks does not run while the client reads nothing', async () => {
    const drips: ScriptStep = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('a');
    };
    const scene = await Scene.of([[drips]], { idleTimeoutMs: 1000 });
    const outcome = await scene.ask();
    if (!outcome.ok) throw new Error(outcome.error.message);
    await outcome.answer.next();
    outcome.answer.heard();
    await scene.clock.advance(3_600_000);
    const failed = expect(outcome.answer.next()).rejects.toThrow('no content came for 1000 ms');
    await scene.clock.advance(1000);
    await failed;
    outcome.release();
  });
});

describe('a circuit', () => {
  test('that is open refuses at once, and says when to ask again', async () => {
    const scene = await Scene.of([[BUSY]]);
    scene.retry = { ...scene.retry, maxAttempts: 1 };
    for (let turn = 0; turn < 5; turn++) await scene.ask();
    const outcome = await scene.ask();
    expect(outcome).toMatchObject({
      ok: false,
      error: { kind: 'overloaded', retryAfterMs: 10_000 },
      attempts: 0,
      plan: undefined,
    });
    expect(scene.counts).toEqual([5]);
  });

  test('counts a request once, however often it was asked: it may be the request that is at fault', async () => {
    const scene = await Scene.of([[answers(500)]]);
    scene.retry = { ...scene.retry, baseDelayMs: 1, maxDelayMs: 1 };
    for (let turn = 1; turn <= 4; turn++) {
      const asking = scene.ask();
      await scene.advance(1, 3 * turn - 2);
      await scene.advance(1, 3 * turn - 1);
      expect((await asking).attempts).toBe(3);
    }
    const fifth = scene.ask();
    await scene.advance(1, 13);
    expect((await fifth).attempts).toBe(1);
    expect([await scene.ask(), scene.counts]).toMatchObject([{ attempts: 0 }, [13]]);
  });

  test('of one model leaves the others alone; of a server that is gone it does not', async () => {
    const scene = await Scene.of([[answers(500)]]);
    scene.retry = { ...scene.retry, maxAttempts: 1 };
    for (let turn = 0; turn < 5; turn++) await scene.ask();
    const { guard } = scene.upstreams.all[0]!;
    expect('isRefused' in guard.admit('m')).toBe(true);
    expect('isRefused' in guard.admit('other')).toBe(false);

    const gone = await Scene.of([[breaksOff]]);
    gone.retry = scene.retry;
    for (let turn = 0; turn < 5; turn++) await gone.ask();
    expect('isRefused' in gone.upstreams.all[0]!.guard.admit('other')).toBe(true);
  });

  test('opens for as long as Retry-After says, where the key is our own', async () => {
    const script = [answers(429, '{}', { 'retry-after': '60' }), FINE];
    const shared = await Scene.of([script], { apiKey: 'ours' });
    await shared.ask();
    expect(await shared.ask()).toMatchObject({ attempts: 0, error: { retryAfterMs: 60_000 } });
    shared.clock.skip(60_000);
    expect(told(await shared.ask())).toBe('up0');

    const others = await Scene.of([script]);
    await others.ask();
    expect(told(await others.ask())).toBe('up0');
  });

  test.each([
    'EMFILE',
    'ENFILE',
    'ENOMEM',
    'ENOBUFS',
    'EADDRNOTAVAIL',
    'EAI_AGAIN',
    'UND_ERR_DESTROYED',
  ])('does not count %s, which is the shortage of the gateway itself', async (code) => {
    const scene = await Scene.of([[FINE]]);
    scene.retry = { ...scene.retry, baseDelayMs: 1, maxDelayMs: 1 };
    const [upstream] = scene.upstreams.all;
    const affords = vi.spyOn(upstream!.guard, 'affordsRetry');
    const asked = vi
      .spyOn(upstream!, 'askWatched')
      .mockRejectedValue(Object.assign(new Error('local'), { code }));
    for (let turn = 1; turn <= 10; turn++) {
      const asking = scene.ask();
      await scene.advance(1, 3 * turn - 2);
      await scene.advance(1, 3 * turn - 1);
      expect(await asking).toMatchObject({ ok: false, error: { isLocal: true }, attempts: 3 });
    }
    asked.mockRestore();
    expect(affords).not.toHaveBeenCalled();
    for (const circuit of upstream!.guard.circuits)
      expect([circuit.state, circuit.metrics().failures]).toEqual(['closed', 0]);
    expect(told(await scene.ask())).toBe('up0');
  });

  test('counts an answer that broke off in the middle', async () => {
    const scene = await Scene.of([[FINE]]);
    for (let turn = 0; turn < 5; turn++) {
      const outcome = await scene.ask();
      if (outcome.ok) outcome.settle({ kind: 'upstream', message: 'it broke off' });
    }
    expect(await scene.ask()).toMatchObject({ ok: false, attempts: 0 });
  });

  test('is closed by the first byte of a probe, and not kept waiting for its end', async () => {
    const scene = await Scene.of([[BUSY, BUSY, BUSY, BUSY, BUSY, FINE]]);
    scene.retry = { ...scene.retry, maxAttempts: 1 };
    for (let turn = 0; turn < 5; turn++) await scene.ask();
    scene.clock.skip(10_000);
    const probe = await scene.ask();
    const second = await scene.ask();
    expect([told(probe), told(second)]).toEqual(['up0', 'up0']);
  });
});

test('an upstream that refuses the way it is asked is asked in the other way, in the same attempt', async () => {
  const scene = await Scene.of([[answers(400, '{"error": "does not support tools"}'), FINE]]);
  scene.replan = (plan, error) =>
    error.message.includes('tools') && plan.promptedIn === undefined
      ? scene.plan(plan.candidate, 'qwen')
      : undefined;
  const outcome = await scene.ask();
  expect(outcome).toMatchObject({ ok: true, attempts: 1, plan: { promptedIn: 'qwen' } });
  expect(told(outcome)).toBe('up0');
});
