import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { startDashboardWorld } from './support/dashboard-world.ts';
import type { DashboardWorld } from './support/dashboard-world.ts';
import { needsPart } from './support/needs-part.ts';
import { openBrowser } from './support/open-browser.ts';
import { openPage } from './support/open-page.ts';
import { readCpuProfile, shareOf } from './support/cpu-profile.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const chromium = needsPart('chromium');
const isFull = process.env['HOLDFAST_FULL'] === '1';

const CIRCUITS = 1000;
const EVENTS_PER_SECOND = 200;
const MEASURED_MS = 5000;
/** What only runs because the gateway is watched. */
const EVENT_CODE = /\/dist\/(?:observe|admin|history|metrics|telemetry)\//;
const tools = Array.from({ length: CIRCUITS }, (_, at) => `tool_${at}`);

describe.skipIf(!isFull || chromium.isMissing)(
  `the dashboard of ${CIRCUITS} circuits and ${EVENTS_PER_SECOND} events a second${chromium.why}`,
  () => {
    let browser: Browser;
    let world: DashboardWorld;
    let gateway: RunningGateway;
    let isOver = false;
    let made = 0;
    let traffic: Promise<unknown> | undefined;
    const profiles = mkdtempSync(join(tmpdir(), 'holdfast-profile-'));

    beforeAll(async () => {
      [browser, world] = await Promise.all([
        openBrowser(),
        startDashboardWorld({ servers: { many: tools } }),
      ]);
      gateway = await startGateway({ ...world.config, log: { level: 'error' } }, [
        '--cpu-prof',
        `--cpu-prof-dir=${profiles}`,
      ]);
      for (let at = 0; at < CIRCUITS; at += 50) {
        await Promise.all(tools.slice(at, at + 50).map((tool) => world.call(gateway.url, tool)));
      }
      traffic = callSteadily();
    }, 120_000);

    let ended: Promise<void> | undefined;
    const endGateway = (): Promise<void> =>
      (ended ??= (async () => {
        isOver = true;
        await traffic;
        await gateway.close();
      })());

    afterAll(async () => {
      await endGateway();
      await browser.close();
      await world.close();
      rmSync(profiles, { recursive: true });
    });

    /** Each call is an event. What could not be made in its time is made up for, so that the rate holds. */
    async function callSteadily(): Promise<void> {
      const startedAt = performance.now();
      const running = new Set<Promise<unknown>>();
      while (!isOver) {
        const due = ((performance.now() - startedAt) / 1000) * EVENTS_PER_SECOND;
        for (; made < due && running.size < 50; made++) {
          const call = world.call(gateway.url, tools[(made * 7) % CIRCUITS] ?? '');
          running.add(call);
          void call.finally(() => running.delete(call));
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await Promise.all(running);
    }

    it.each(['overview', 'circuits', 'tools'])(
      'takes less than half a core in %s',
      async (view) => {
        const page = await openPage(browser, { width: 1440, height: 900 });
        const session = await browser.newBrowserCDPSession();
        // The page itself, and the process that paints it for want of a graphics card.
        const busySeconds = async (): Promise<number> => {
          const { processInfo } = await session.send('SystemInfo.getProcessInfo');
          const painters = processInfo.filter(({ type }) => type === 'renderer' || type === 'GPU');
          expect(painters.map(({ type }) => type)).toContain('renderer');
          return painters.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
        };
        await page.goto(`${gateway.url}/#/${view}`);
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
        await new Promise((resolve) => setTimeout(resolve, 2000));

        const [busyBefore, madeBefore, before] = [await busySeconds(), made, performance.now()];
        await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
        const seconds = (performance.now() - before) / 1000;
        const share = ((await busySeconds()) - busyBefore) / seconds;
        const rate = (made - madeBefore) / seconds;

        expect(rate).toBeGreaterThan(EVENTS_PER_SECOND * 0.8);
        process.stdout.write(`${view}: ${(share * 100).toFixed(1)} % of a core\n`);
        expect(share).toBeLessThan(0.5);
        expect(page.problems).toEqual([]);
        await page.context().close();
      },
    );

    it('draws no more rows than are in sight, and finds one of all', async () => {
      const page = await openPage(browser);
      await page.goto(`${gateway.url}/#/circuits`);
      const rows = page.locator('.circuit-row');
      await rows.first().waitFor();
      await page.getByText(`All ${CIRCUITS + 1}`).waitFor();
      expect(await rows.count()).toBeLessThan(60);

      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      await rows.getByText('tool_999').waitFor();
      await page.getByPlaceholder('Find by name').fill('tool_12 many');
      await expect.poll(() => rows.count()).toBe(11);
      await page.context().close();
    });

    // The last test: the profile is written when the gateway ends.
    it('takes less than two hundredths of the time of the gateway for its events', async () => {
      await endGateway();
      const profile = readCpuProfile(profiles);
      const share = shareOf(profile, EVENT_CODE);
      process.stdout.write(`event code: ${(share * 100).toFixed(2)} % self time\n`);

      // The code ran at all: thousands of calls were told to the page.
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(0.02);
    });
  },
);
