import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway } from '../support/ask-gateway.ts';
import { chatStreamOf } from '../support/chat-stream-of.ts';
import { NEVER_OPENS } from '../support/never-opens.ts';
import { SAMPLE_TOOLS } from '../support/sample-calls.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';

const LENGTH = 1_000_000;
/** Characters of an event, as an upstream that does not dawdle sends them. */
const EVENT = 4000;
const CALM_STREAMS = 50;
/** Garbage may be collected in all but one of them. */
const TRIES = 8;
/** What the others may be held up by, beside what an ordinary answer of that length does. */
const MOST_STRETCH_MS = 50;

/** The texts that cost the most to read, of those in `bench/data/hostile.mjs`. */
const HOSTILE: readonly (readonly [unit: string, head: string])[] = [
  ['<tool_call>{', ''],
  ['{', ''],
  ['[', '<tool_call>{"a":'],
  ['[{', ''],
  ['[TOOL_CALL]', ''],
  [']', '<tool_call>{"a":'],
  ['```\n', ''],
  ['<tool_cal', ''],
];
const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);
const SAID = 'One word after the other, and none of them in a hurry. ';

describe('a hostile answer beside ordinary ones', { timeout: 300_000 }, () => {
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;
  let text = '';
  let asked = 0;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-stretch-'));
  const file = join(folder, 'stretch');

  beforeAll(async () => {
    const calm = chatStreamOf(SAID, { cut: 1 });
    upstream = await startScriptedUpstream(({ json }) =>
      (json as { readonly model: string }).model === 'calm'
        ? { body: calm, cut: Math.ceil(calm.length / 30), pauseMs: 10 }
        : { body: chatStreamOf(text, { cut: EVENT }), cut: 65_536 },
    );
    const preload = new URL('../support/busy-stretch-preload.mjs', import.meta.url);
    preload.searchParams.set('file', file);
    gateway = await startGateway(
      {
        upstreams: [{ name: 'one', url: upstream.url, circuit: NEVER_OPENS }],
        log: { level: 'error' },
      },
      ['--import', preload.href],
    );
  }, 60_000);

  afterAll(async () => {
    await Promise.all([gateway.close(), upstream.close()]);
    rmSync(folder, { recursive: true });
  }, 30_000);

  const ask = (model: string) =>
    askGateway(gateway.url, { protocol: 'chat', model, tools, stream: true });

  /** The longest stretch of the gateway since this was asked last, in milliseconds of the processor. */
  async function stretchMs(): Promise<number> {
    process.kill(gateway.pid, 'SIGUSR2');
    asked++;
    await expect.poll(() => readStretch(file)[0], { timeout: 20_000, interval: 5 }).toBe(asked);
    return readStretch(file)[1];
  }

  /** How long it does nothing else while it reads this beside fifty others; the best of some tries. */
  async function stillFor(given: string, enough: number): Promise<number> {
    text = given;
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best > enough; tries++) {
      const others = Array.from({ length: CALM_STREAMS }, () => ask('calm'));
      await stretchMs();
      const told = await ask('hostile');
      best = Math.min(best, await stretchMs());
      expect(told.status).toBe(200);
      for (const other of await Promise.all(others)) expect(other.text).toBe(SAID);
    }
    return best;
  }

  test('of a megabyte holds up nobody for long', async () => {
    const usual = await stillFor('Some words of no meaning. '.repeat(LENGTH / 26), 0);
    const limit = usual + MOST_STRETCH_MS;
    const slow: string[] = [];
    for (const [unit, head] of HOSTILE) {
      const repeated = head + unit.repeat(LENGTH / unit.length);
      const best = await stillFor(repeated, limit);
      if (best > limit) slow.push(`${JSON.stringify(head + unit)}: ${best.toFixed(0)} ms`);
    }
    expect(slow).toEqual([]);
  });
});

/** How often it was told, and what was told last. */
function readStretch(file: string): readonly [times: number, ms: number] {
  try {
    const [times = 0, ms = NaN] = readFileSync(file, 'utf8').split(' ').map(Number);
    return [times, ms];
  } catch {
    return [0, NaN];
  }
}
