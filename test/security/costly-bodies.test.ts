import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway } from '../support/ask-gateway.ts';
import { COSTLY_BODIES, sendCostly, startCostlyUpstream } from '../support/costly-bodies.ts';
import type { CostlyUpstream } from '../support/costly-bodies.ts';
import { NEVER_OPENS } from '../support/never-opens.ts';
import { startGateway } from '../support/start-gateway.ts';
import type { RunningGateway } from '../support/start-gateway.ts';

/** `npm run test:full` tries all of them; for `npm test`, two that are quick show that the gateway is measured. */
const full = process.env['HOLDFAST_FULL'] === '1';
const QUICK = ['a response of as many values as there may be', 'a request of 31 MB of {}'];
const bodies = COSTLY_BODIES.filter(({ name }) => full || QUICK.includes(name));

/** For how long no other client may wait, on the processor of the gateway. */
const MOST_STRETCH_MS = 50;
/** Garbage may be collected in all but one of them. */
const TRIES = 6;

describe('what costs the gateway as much as it can', { timeout: 300_000 }, () => {
  let upstream: CostlyUpstream;
  let gateway: RunningGateway;
  let asked = 0;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-costly-'));
  const file = join(folder, 'stretch');

  beforeAll(async () => {
    upstream = await startCostlyUpstream();
    const preload = new URL('../support/busy-stretch-preload.mjs', import.meta.url);
    preload.searchParams.set('file', file);
    gateway = await startGateway(
      {
        upstreams: [{ name: 'one', url: upstream.url, circuit: NEVER_OPENS }],
        proxy: { retry: { maxAttempts: 1 } },
        log: { level: 'error' },
      },
      ['--import', preload.href],
    );
    for (let times = 0; times < 50; times++) await askCalm();
  }, 60_000);

  afterAll(async () => {
    await Promise.all([gateway.close(), upstream.close()]);
    rmSync(folder, { recursive: true });
  }, 30_000);

  async function askCalm(): Promise<void> {
    const ask = { protocol: 'chat', model: 'calm', tools: [], stream: false } as const;
    expect((await askGateway(gateway.url, ask)).text).toBe('Yes.');
  }

  /** What the gateway did since this was called last. */
  async function measure(): Promise<{ readonly longestMs: number; readonly grownBytes: number }> {
    process.kill(gateway.pid, 'SIGUSR2');
    asked++;
    await expect.poll(() => readMeasure(file)[0], { timeout: 20_000, interval: 5 }).toBe(asked);
    const [, longestMs, grownBytes] = readMeasure(file);
    return { longestMs, grownBytes };
  }

  test.each(bodies.map((costly) => [costly.name, costly] as const))(
    '%s delays no other client and takes bounded memory',
    async (_, costly) => {
      upstream.answerFor(costly);
      let best = Infinity;
      for (let tries = 0; tries < TRIES && best > MOST_STRETCH_MS; tries++) {
        await measure();
        const over = new AbortController();
        const others = (async () => {
          while (!over.signal.aborted) await askCalm();
        })();
        const statuses = await sendCostly(gateway.url, costly);
        over.abort();
        await others;
        for (const status of statuses) expect(costly.statuses).toContain(status);
        const { longestMs, grownBytes } = await measure();
        expect(grownBytes).toBeLessThan(costly.mostBytes);
        best = Math.min(best, longestMs);
      }
      expect(best).toBeLessThanOrEqual(MOST_STRETCH_MS);
    },
  );
});

/** How often it was measured, and what was measured last. */
function readMeasure(file: string): readonly [times: number, ms: number, bytes: number] {
  try {
    const [times = 0, ms = NaN, bytes = NaN] = readFileSync(file, 'utf8').split(' ').map(Number);
    return [times, ms, bytes];
  } catch {
    return [0, NaN, NaN];
  }
}
