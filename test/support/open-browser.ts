import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** What keeps Debian's Chromium to itself: no sandbox of its own as root, no network but ours. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium with a profile that is new. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
}
