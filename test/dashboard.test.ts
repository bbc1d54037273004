import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Browser, Locator } from 'playwright-core';
import { formatDuration } from '../packages/dashboard/src/format/duration.ts';
import { startDashboardWorld } from './support/dashboard-world.ts';
import type { DashboardWorld } from './support/dashboard-world.ts';
import { needsPart } from './support/needs-part.ts';
import { openBrowser } from './support/open-browser.ts';
import { findBarriers, openPage, pixelsBeyond } from './support/open-page.ts';
import type { OpenPage } from './support/open-page.ts';
import { root } from './support/repository.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const chromium = needsPart('chromium');

vi.setConfig({ testTimeout: 60_000 });

const VIEWS = [
  'overview',
  'circuits',
  'parsing',
  'tools',
  'servers',
  'requests',
  'replicas',
] as const;
const BIN = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
/** Of the circuit that the tests open and close. */
const QUOTE = 'mcp/travel/get_quote';

describe.skipIf(chromium.isMissing)(`the dashboard${chromium.why}`, () => {
  let browser: Browser;
  let world: DashboardWorld;
  let gateway: RunningGateway;
  let page: OpenPage;
  let url = '';

  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), startDashboardWorld()]);
    gateway = await startGateway({
      ...world.config,
      observe: { capture: true, reveal: true, history: false },
    });
    ({ url } = gateway);
    page = await openPage(browser);
    await page.goto(url);
    await page.getByText('Live', { exact: true }).waitFor();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await world.close();
    await gateway.close();
  });

  const look = (view: string): Promise<unknown> => page.goto(`${url}/#/${view}`);

  it('shows on the overview what goes through the gateway, as it goes', async () => {
    await look('overview');
    const turns = page.getByRole('region', { name: 'Model turns' }).locator('.tile-value');
    await turns.waitFor();
    const before = Number(await turns.textContent());

    await world.turn(url, 'qwen-single-quotes');
    await world.turn(url, 'mistral');

    await expect.poll(() => turns.textContent(), { timeout: 20_000 }).toBe(String(before + 2));
    const chart = page.getByRole('img', { name: /Latency of model turns: p50 \d/ });
    await chart.waitFor();
    expect(page.problems).toEqual([]);
  });

  it('shows a circuit open within a second, and closed again when it is reset', async () => {
    await look('circuits');
    await world.call(url, 'travel__get_quote');
    const row = page.getByRole('row', { name: /get_quote/ });
    await row.getByText('Closed').waitFor();
    await world.mood(url, 'travel', 'failing');
    const untilOpen: number[] = [];
    const untilClosed: number[] = [];
    // The best of three: other tests take their share of the machine.
    for (let round = 0; round < 3; round++) {
      for (let times = 0; times < 3; times++) await world.call(url, 'travel__get_quote');
      untilOpen.push(await msUntil(row.getByText('Open', { exact: true })));
      await row.getByText(/half-open in \d+ s/).waitFor();
      await row.getByText('Too many failures in a row').waitFor();

      await row.getByRole('button', { name: /^Reset/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Reset the circuit' });
      await dialog.getByLabel('Note').fill('The server is back');
      await dialog.getByRole('button', { name: 'Reset' }).click();

      untilClosed.push(await msUntil(row.getByText('Closed')));
      await row.getByText('The server is back').waitFor();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(Math.min(...untilOpen)).toBeLessThan(1000);
    expect(Math.min(...untilClosed)).toBeLessThan(1000);
    expect(page.problems).toEqual([]);
  });

  it('isolates a circuit for as long as somebody says, and calls are refused', async () => {
    await look(`circuits/${encodeURIComponent(QUOTE)}`);
    await world.mood(url, 'travel', 'fine');
    await page.getByRole('button', { name: 'Isolate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Isolate the circuit' });
    await dialog.getByRole('button', { name: 'Isolate' }).click();
    await dialog.getByText('Say why').waitFor();
    await dialog.getByLabel('Reason').fill('Deploying a fix');
    await dialog.getByLabel('1 h').check();
    await dialog.getByRole('button', { name: 'Isolate' }).click();

    await page.getByText(/half-open in (?:1 h|59 min)/).waitFor();
    const history = page.getByRole('region', { name: 'History' }).getByRole('table');
    await history.getByRole('cell', { name: 'Deploying a fix' }).waitFor();
    const refused = await world.call(url, 'travel__get_quote');
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain('taken out of service by hand (Deploying a fix)');

    await page.getByRole('button', { name: 'Reset' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'State' }).getByText('Closed').waitFor();
    expect((await world.call(url, 'travel__get_quote')).isError).not.toBe(true);
    expect(page.problems).toEqual([]);
  });

  it('shows how models write, and explains what could not be read', async () => {
    await world.turn(url, 'qwen', 12);
    await look('parsing');
    const models = page.getByRole('table').filter({ hasText: 'Formats' });
    const row = models.getByRole('row', { name: /qwen-single-quotes/ });
    await row.getByText('single-quotes', { exact: false }).last().waitFor();

    const unread = page.locator('.unread-item').first();
    await unread.locator('summary').click();
    await unread.getByText('<tool_call>').first().waitFor();
    await unread
      .getByRole('region', { name: 'Explanation' })
      .getByText('not a call')
      .first()
      .waitFor();
    expect(page.problems).toEqual([]);
  });

  it('reads pasted text character by character, and shows the call as it comes', async () => {
    const said = `Now. <tool_call>{'name': 'commit', 'arguments': {'message': 'A fix'}}</tool_call>`;
    await look('parsing');
    await page.getByRole('textbox', { name: 'What the model wrote' }).fill(said);
    await page.getByRole('button', { name: 'Read it' }).click();

    const done = page.locator('.read-done');
    await done.getByText('Now.').waitFor();
    const early = (await done.textContent()) ?? '';
    expect(early.length).toBeLessThan(said.length);
    expect(said.startsWith(early)).toBe(true);
    const call = page.getByRole('article', { name: 'Call of commit' });
    await call.getByText('single-quotes').waitFor();
    await call.getByText('"message": "A fix"').waitFor();
    await page.getByText('Why it was read so').click();
    await page.getByRole('region', { name: 'Explanation' }).getByText('qwen').first().waitFor();
    expect(page.problems).toEqual([]);
  });

  it('shows how tools fail, and what the model was told', async () => {
    await world.mood(url, 'travel', 'failing');
    for (let times = 0; times < 2; times++) await world.call(url, 'travel__book_flight');
    await look('tools');
    const row = page.getByRole('row', { name: /book_flight/ });
    await row.getByText('0 %').waitFor();
    await row.getByRole('button').click();

    const failures = page.getByRole('region', { name: /Last failures of/ });
    await failures.getByText('502 Bad Gateway').first().waitFor();
    await failures.getByText('Told the model').first().waitFor();
    await world.call(url, 'travel__book_flight');
    await expect.poll(() => failures.getByRole('listitem').count(), { timeout: 20_000 }).toBe(3);

    await world.call(url, 'travel__book_flight');
    await failures.getByLabel('Refused').check();
    await failures.getByText('circuit travel/book_flight is open').first().waitFor();
    expect(await failures.getByText('502 Bad Gateway').count()).toBe(0);
    await failures.getByLabel('Failed').check();
    await failures.getByText('502 Bad Gateway').first().waitFor();
    await world.mood(url, 'travel', 'fine');
    expect(page.problems).toEqual([]);
  });

  it('shows how the servers are, and reconnects one that was lost', async () => {
    const row = page.getByRole('row', { name: /files/ });
    await look('servers');
    await row.getByText('Connected', { exact: true }).waitFor();
    await row.getByText('none', { exact: true }).waitFor();
    await world.mood(url, 'files', 'gone');
    await row.getByText('ended with code 7').waitFor();

    await row.getByRole('button', { name: 'Reconnect files' }).click();
    await page.getByText('files is connected').waitFor();
    await row.getByText('Connected', { exact: true }).waitFor();
    expect((await world.call(url, 'files__read_file')).isError).not.toBe(true);
    const other = page.getByRole('row', { name: /travel/ });
    await other.getByRole('button', { name: 'Reconnect travel' }).click();
    await page.getByText('travel is connected').waitFor();
    await other.getByRole('cell', { name: '1', exact: true }).waitFor();
    expect(page.problems).toEqual([]);
  });

  it('gives the percentiles that holdfast status gives of the same window', async () => {
    await look('overview');
    await world.turn(url, 'mistral');
    const status = spawnSync(process.execPath, [BIN, 'status', '--json', '--url', url], {
      encoding: 'utf8',
    });
    const { overview } = JSON.parse(status.stdout) as {
      overview: { latency_ms: Record<'turns' | 'calls', Record<string, number>> };
    };
    for (const [name, kind] of [
      ['model turns', 'turns'],
      ['tool calls', 'calls'],
    ] as const) {
      const times = Object.entries(overview.latency_ms[kind]);
      const label = times.map(([each, ms]) => `${each} ${formatDuration(ms)}`).join(', ');
      await page.getByRole('img', { name: `Latency of ${name}: ${label}` }).waitFor();
    }
  });

  it('puts what the model wrote beside what the client got', async () => {
    const id = await world.turn(url, 'qwen-single-quotes');
    await look('requests');
    await page
      .getByRole('row', { name: /qwen-single-quotes/ })
      .first()
      .getByRole('link')
      .click();
    await page.getByText(id).waitFor();

    const wrote = page.getByRole('region', { name: 'What the model wrote' });
    expect(await wrote.locator('mark').textContent()).toContain(
      "<tool_call>\n{'name': 'get_weather'",
    );
    expect(await wrote.locator('mark').getByTitle('single-quotes').count()).toBeGreaterThan(4);
    const got = page.getByRole('region', { name: 'What the client got' });
    await got
      .getByRole('article', { name: 'Call of get_weather' })
      .getByText('"city": "Oslo"')
      .waitFor();
    await got.getByText('single-quotes').first().waitFor();
    await page.getByText('What the client asked').click();
    await page.getByText('"content": "What is the weather in Oslo?"').waitFor();
    expect(page.problems).toEqual([]);
  });

  it('can be used by keyboard: past the navigation, into a dialog and back', async () => {
    await look('circuits');
    await page.reload();
    await page.getByRole('row', { name: /get_quote/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');

    const isolate = page.getByRole('button', { name: 'Isolate travel/get_quote' });
    await isolate.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(focused).toBe('Isolate travel/get_quote');
  });

  it.each(VIEWS)('has no barrier in %s, in either theme', async (view) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await look(view);
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      expect(await findBarriers(page)).toEqual([]);
    }
    expect(page.problems).toEqual([]);
  });

  it('has no barrier in a circuit, a request and a dialog, in either theme', async () => {
    const id = await world.turn(url, 'qwen-trailing-comma');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const item of [`circuits/${encodeURIComponent(QUOTE)}`, `requests/${id}`]) {
        await look(item);
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
        expect(await findBarriers(page)).toEqual([]);
      }
      await look(`circuits/${encodeURIComponent(QUOTE)}`);
      await page.getByRole('button', { name: 'Isolate' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  it('keeps the theme that was chosen', async () => {
    const themeOf = (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: /^Theme: system/ }).click();
    await page.getByRole('button', { name: /^Theme: light/ }).click();
    expect(await themeOf()).toBe('dark');

    await page.reload();

    expect(await themeOf()).toBe('dark');
    await page.getByRole('button', { name: /^Theme: dark/ }).click();
  });

  it('fits on a phone', async () => {
    const phone = await openPage(browser, { width: 360, height: 740 });
    const id = await world.turn(url, 'qwen-missing-brace');
    const items = [`circuits/${encodeURIComponent(QUOTE)}`, `requests/${id}`];
    for (const view of [...VIEWS, ...items]) {
      await phone.goto(`${url}/#/${view}`);
      await phone.getByRole('heading', { level: 1 }).waitFor();
      await phone.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      expect([view, await pixelsBeyond(phone)]).toEqual([view, 0]);
    }
    await phone.context().close();
  });
});

/** How long it takes until something is there. */
async function msUntil(locator: Locator): Promise<number> {
  const before = performance.now();
  await locator.waitFor();
  return performance.now() - before;
}
