import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Pixels of the picture for each of the page. */
  readonly scale?: number;
}

export interface OpenPage extends Page {
  /** What went wrong on it: thrown, logged as an error, or refused by its policy. */
  readonly problems: string[];
}

/** A page in a profile of its own, which keeps what goes wrong on it. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenPage> {
  const { theme = 'light', width = 1280, height = 800, scale = 1 } = options;
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // Long, for a machine that does much else: where time is the point, tests measure it.
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A request that failed is told by what the page says of it.
    const isNetwork = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isNetwork) problems.push(message.text());
  });
  return Object.assign(page, { problems });
}

/** What axe finds that keeps somebody from using the page. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** How many pixels of the page are beyond its right edge. */
export function pixelsBeyond(page: Page): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}
