import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../test/support/open-browser.ts';
import { openPage } from '../../test/support/open-page.ts';
import { makeTraffic } from './make-traffic.ts';
import { startPictureWorld } from './picture-world.ts';
import type { PictureWorld } from './picture-world.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'images');
/** How long a quarter of an hour takes. */
const TAKES_MS = 60_000;
const WIDTH = 1280;
const MOST_BYTES = 300_000;

/** What is seen on a picture: where it is, how high, and what is done first. */
interface Picture {
  readonly view: (world: PictureWorld) => Promise<string> | string;
  readonly height: number;
  readonly width?: number;
  readonly prepare?: (page: Page) => Promise<void>;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  overview: { view: () => 'overview', height: 1060 },
  circuits: { view: () => 'circuits', height: 800 },
  circuit: {
    view: () => `circuits/${encodeURIComponent('mcp/travel/get_quote')}`,
    height: 860,
  },
  parsing: { view: () => 'parsing', height: 960, prepare: readSample },
  tools: { view: () => 'tools', height: 1000 },
  requests: { view: () => 'requests', height: 760 },
  request: {
    view: async (world) =>
      `requests/${await world.turn('qwen-single-quotes', 'What is the weather in Oslo?')}`,
    height: 700,
  },
  phone: { view: () => 'circuits', height: 740, width: 360 },
};

async function readSample(page: Page): Promise<void> {
  await page.getByLabel('At once').check();
  await page.getByRole('button', { name: 'Read it' }).click();
  await page.getByText('Mended:').waitFor();
}

async function take(browser: Browser, world: PictureWorld, theme: 'light' | 'dark'): Promise<void> {
  for (const [name, { view, height, width = WIDTH, prepare }] of Object.entries(PICTURES)) {
    const page = await openPage(browser, { theme, width, height, scale: 1.25 });
    await page.goto(`${world.url}/#/${await view(world)}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    await prepare?.(page);
    // What has just come is drawn with the next frame but one.
    await page.waitForTimeout(700);
    const path = join(FOLDER, `${name}-${theme}.png`);
    await page.screenshot({ path });
    await page.context().close();
    const { size } = statSync(path);
    console.log(`${name}-${theme}.png ${Math.round(size / 1000)} KB`);
    if (size > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes`);
  }
}

mkdirSync(FOLDER, { recursive: true });
const world = await startPictureWorld(TAKES_MS);
const browser = await openBrowser();
try {
  await makeTraffic(world, TAKES_MS);
  for (const theme of ['dark', 'light'] as const) await take(browser, world, theme);
} finally {
  await browser.close();
  await world.close();
}
