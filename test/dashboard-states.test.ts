import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Browser } from 'playwright-core';
import { startDashboardWorld } from './support/dashboard-world.ts';
import type { DashboardWorld } from './support/dashboard-world.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { openBrowser } from './support/open-browser.ts';
import { findBarriers, openPage } from './support/open-page.ts';
import { root } from './support/repository.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

vi.setConfig({ testTimeout: 60_000 });

const chromium = needsPart('chromium');
const OBSERVE = { observe: { history: false } };
const TOKEN = 'the-token-of-this-test';

describe('the built dashboard', () => {
  const folder = join(root, 'packages', 'gateway', 'dist', 'dashboard', 'page');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'assets')).map((name) => join(folder, 'assets', name));

  it('is small', () => {
    const sizes = assets.map((path) => gzipSync(readFileSync(path), { level: 9 }).length);

    expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(150_000);
  });

  it('loads nothing from anywhere else, and has nothing inline that its policy would refuse', () => {
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);

    expect(addresses.filter((address) => !/^\/assets\/[\w-]+\.\w+$/.test(address ?? ''))).toEqual(
      [],
    );
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
    for (const path of assets) expect(readFileSync(path, 'utf8')).not.toMatch(/@import|url\(http/);
  });
});

describe.skipIf(chromium.isMissing)(`the dashboard${chromium.why}`, () => {
  let browser: Browser;
  let world: DashboardWorld;
  /** One that nobody uses but the last test. */
  let quiet: RunningGateway;

  beforeAll(async () => {
    [browser, world] = await Promise.all([openBrowser(), startDashboardWorld({ token: TOKEN })]);
    quiet = await startGateway({ ...world.config, ...OBSERVE });
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    await world.close();
    await quiet.close();
  });

  const started = async (config: object): Promise<RunningGateway> => {
    const gateway = await startGateway({ ...world.config, ...OBSERVE, ...config });
    onTestFinished(() => gateway.close());
    return gateway;
  };

  it('comes back by itself when the gateway is started anew on its port', async () => {
    const first = await startGateway({ ...world.config, ...OBSERVE });
    const page = await openPage(browser);
    await world.turn(first.url, 'qwen');
    await page.goto(first.url);
    const turns = page.getByRole('region', { name: 'Model turns' }).locator('.tile-value');
    await turns.getByText('1').waitFor();

    await first.close();
    await page.getByText('The gateway does not answer.').waitFor();
    await page.getByText('Disconnected').waitFor();
    await turns.getByText('1').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const { host: listen } = new URL(first.url);
    await started({ listen });

    await page.getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });
    await page.getByText('The gateway does not answer.').waitFor({ state: 'detached' });
    await turns.getByText('0').waitFor();
    await world.turn(first.url, 'mistral');
    await turns.getByText('1').waitFor();
    expect(page.problems).toEqual([]);
  }, 60_000);

  it('asks for the token, tells a wrong one, and keeps the right one for the tab', async () => {
    const { url } = await started({ token: TOKEN, observe: { history: false, capture: true } });
    const page = await openPage(browser);
    await page.goto(`${url}/#/circuits`);
    const input = page.getByLabel('Token');
    await input.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('That is not the token.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }

    await input.fill(TOKEN);
    await page.getByRole('button', { name: 'Unlock' }).click();

    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Circuits', level: 1 }).waitFor();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(TOKEN);

    // Texts are kept here, and not to be revealed.
    const id = await world.turn(url, 'qwen');
    await page.goto(`${url}/#/requests/${id}`);
    await page.getByText('Arguments and results are masked').waitFor();
    await page.getByRole('article', { name: 'Call of get_weather' }).waitFor();
    expect(await page.content()).not.toContain('Oslo');
    expect(page.problems).toEqual([]);
  }, 60_000);

  it('says what is missing where nothing has happened yet', async () => {
    const page = await openPage(browser, { theme: 'dark' });
    for (const [view, words] of Object.entries(EMPTY)) {
      await page.goto(`${quiet.url}/#/${view}`);
      await page.getByText(words).first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }
    expect(page.problems).toEqual([]);
  }, 60_000);

  it('tells what is not there, and what the gateway says of it', async () => {
    const page = await openPage(browser);
    await page.goto(`${quiet.url}/#/circuits/mcp%2Fnone`);

    await page.getByRole('alert').getByText('This could not be loaded').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('shows of a gateway for MCP only what MCP has, and a server that is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-servers-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const repaired = join(folder, 'repaired');
    const script = `fs.existsSync(process.argv[1]) ? import(process.argv[2]) : process.exit(3)`;
    const server = join(root, 'test', 'support', 'moody-server.mjs');
    const files = { command: process.execPath, args: ['-e', script, repaired, server, 'read'] };
    const gateway = await startGateway({ ...OBSERVE, mcp: { servers: { files } } });
    onTestFinished(() => gateway.close());
    const page = await openPage(browser);
    await page.goto(`${gateway.url}/#/overview`);
    await page.getByRole('region', { name: 'Tool calls', exact: true }).first().waitFor();
    await page.getByRole('img', { name: /^Latency of tool calls/ }).waitFor();
    expect(await page.getByText(/model turns/i).count()).toBe(0);
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Requests' }).waitFor({ state: 'detached' });
    await views.getByRole('link', { name: 'Servers' }).click();

    const row = page.getByRole('row', { name: /files/ });
    await row.getByText('ended with code 3').waitFor();
    const reconnect = row.getByRole('button', { name: 'Reconnect files' });
    await reconnect.click();
    await page
      .getByText('files could not be connected: The server files ended with code 3')
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    writeFileSync(repaired, '');
    await reconnect.click();
    await page.getByText('files is connected').waitFor();
    await row.getByText('Connected', { exact: true }).waitFor();
    expect(page.problems).toEqual([]);
  });

  it('shows of a gateway for models only what models have, and refused turns as turns', async () => {
    const gone = { url: 'http://127.0.0.1:9/v1', circuit: { consecutiveFailures: 1 } };
    const gateway = await startGateway({
      ...OBSERVE,
      upstreams: [gone],
      proxy: { retry: { maxAttempts: 1 } },
    });
    onTestFinished(() => gateway.close());
    for (let times = 0; times < 3; times++)
      await world.turn(gateway.url, 'qwen').catch(() => undefined);
    const page = await openPage(browser);
    await page.goto(`${gateway.url}/#/overview`);
    const refused = page.getByRole('region', { name: 'Refused' });
    await refused.getByText('2 turns').waitFor();
    const turns = page.getByRole('region', { name: 'Model turns' });
    await turns.first().getByText('1 failed').waitFor();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Servers' }).waitFor({ state: 'detached' });
    expect(await page.getByText(/^(?:Latency of )?tool calls$/i).count()).toBe(0);
    expect(page.problems).toEqual([]);
  });

  it('goes on with its charts after a restart, and names the gateway', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-history-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const observe = { history: true, historyDir: folder };
    const first = await startGateway({ ...world.config, observe });
    for (let times = 0; times < 3; times++) await world.turn(first.url, 'mistral');
    await world.call(first.url, 'travel__get_quote');
    const before = await overviewOf(first);
    await first.close();
    const { host: listen } = new URL(first.url);
    // One that shares the folder has traffic of its own.
    const other = await startGateway({ ...world.config, observe });
    onTestFinished(() => other.close());
    const second = await startGateway({ ...world.config, listen, observe });
    onTestFinished(() => second.close());
    const page = await openPage(browser);
    await page.goto(second.url);

    const turns = page.getByRole('region', { name: 'Model turns' }).locator('.tile-value');
    await turns.getByText('3').waitFor();
    const after = await overviewOf(second);
    expect(after['latency_ms']).toEqual(before['latency_ms']);
    expect(after['totals']).toEqual(before['totals']);
    await page.getByText(listen, { exact: true }).waitFor();
    expect((await overviewOf(other))['totals']).toMatchObject({ turns: 0, calls: 0 });
    const history = await fetch(`${second.url}/api/v1/history?kind=requests`);
    const { records } = (await history.json()) as { records: readonly { gateway: string }[] };
    expect(records.map(({ gateway }) => gateway)).toEqual([listen, listen, listen]);
  });

  it('opens from a link on another page', async () => {
    const html = `<a href="${quiet.url}">dashboard</a>`;
    const other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(html),
    );
    await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const page = await openPage(browser);
    await page.goto(`http://localhost:${port}`);
    await page.getByRole('link').click();

    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('says of how many requests texts are kept where they are not any more', async () => {
    const kept = { capture: true, captureRequests: 1, history: false };
    const gateway = await startGateway({ ...world.config, observe: kept });
    onTestFinished(() => gateway.close());
    const id = await world.turn(gateway.url, 'qwen');
    await world.turn(gateway.url, 'qwen');
    const page = await openPage(browser);
    await page.goto(`${gateway.url}/#/requests/${id}`);

    await page.getByText('They are kept of the last 1 request, in memory').waitFor();
  });

  it('says how texts are kept where they are not', async () => {
    const id = await world.turn(quiet.url, 'qwen');
    const page = await openPage(browser);
    await page.goto(`${quiet.url}/#/requests/${id}`);

    await page.getByText('The texts of this request were not kept').waitFor();
    await page.getByText('capture: true').waitFor();
    expect(await page.content()).not.toContain('Oslo');
  });
});

const redis = needsPart('redis-server');

describe.skipIf(chromium.isMissing || redis.isMissing)(
  `the dashboard of a fleet${chromium.why}${redis.why}`,
  () => {
    it('shows all replicas, and a circuit that another of them has opened', async () => {
      const store = await RedisServer.start();
      onTestFinished(() => store.stop());
      const world = await startDashboardWorld();
      onTestFinished(() => world.close());
      const [one, other] = await Promise.all(
        ['one', 'other'].map(async (replica) => {
          const shared = { store: { url: store.url, replica } };
          const gateway = await startGateway({ ...world.config, ...OBSERVE, ...shared });
          onTestFinished(() => gateway.close());
          return gateway;
        }),
      );
      const browser = await openBrowser();
      onTestFinished(() => browser.close());
      const page = await openPage(browser);
      await page.goto(`${one!.url}/#/replicas`);
      const table = page.getByRole('region', { name: 'Replicas' }).getByRole('table');
      await table.getByRole('row', { name: 'this one' }).waitFor();
      await table.getByRole('row', { name: /other/ }).waitFor({ timeout: 30_000 });
      expect(await findBarriers(page)).toEqual([]);

      await world.call(one!.url, 'travel__get_quote');
      await world.mood(other!.url, 'travel', 'failing');
      for (let times = 0; times < 3; times++) await world.call(other!.url, 'travel__get_quote');

      await page.goto(`${one!.url}/#/circuits`);
      const row = page.getByRole('row', { name: /get_quote/ });
      await row.getByText('Open', { exact: true }).waitFor();
      expect(page.problems).toEqual([]);
    }, 60_000);
  },
);

async function overviewOf({ url }: RunningGateway): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/api/v1/overview`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** What each view says on a gateway that nobody has used. */
const EMPTY = {
  overview: 'None yet: each comes with the first call.',
  circuits: 'No circuits yet',
  parsing: 'No model has answered yet',
  tools: 'No tool was called yet',
  servers: 'Connected',
  requests: 'No request yet',
  replicas: 'This gateway keeps its circuits to itself',
};
