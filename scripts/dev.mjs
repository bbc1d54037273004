import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstall } from './ensure-install.mjs';
import { root } from './run-command.mjs';

// npm run dev -- [options of holdfast start]
// The gateway from source, started again when its source changes, and the dashboard as it is written.

const SETTLE_MS = 150;
const sources = ['core', 'gateway'].map((name) => join(root, 'packages', name, 'src'));
const main = join(root, 'packages', 'gateway', 'src', 'cli', 'main.ts');
const flags = ['--import', 'tsx', '--conditions=@holdfast/source'];
const given = process.argv.slice(2);
// A file says where to listen; without one, the page has to find the gateway again after a restart.
const isFixed = given.includes('--port') || existsSync('holdfast.yaml');

let child;
let port;
let isEnding = false;

/** Starts the gateway; resolves with its address, or with nothing where it does not start. */
function startGateway() {
  const again = isFixed || port === undefined ? [] : ['--port', port];
  const args = [...flags, main, 'start', '--json', ...again, ...given];
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  return new Promise((resolve) => {
    let told = '';
    started.stdout.setEncoding('utf8').on('data', (chunk) => {
      told += chunk;
      const url = /"url":"([^"]+)"/.exec(told)?.[1];
      if (url === undefined) return;
      port = new URL(url).port;
      resolve(url);
    });
    started.on('close', () => resolve(undefined));
  });
}

function endGateway() {
  const ending = child;
  if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
  return new Promise((resolve) => {
    ending.on('close', resolve);
    ending.kill('SIGTERM');
  });
}

async function restart() {
  await endGateway();
  if (isEnding) return;
  const url = await startGateway();
  if (!isEnding) console.log(url === undefined ? 'waiting for a change' : `gateway again: ${url}`);
}

/** One restart for all that is saved at once, and never two at the same time. */
function watchSources(watcher) {
  let timer;
  let running = Promise.resolve();
  watcher.add(sources);
  watcher.on('all', (_event, file) => {
    const isSource = sources.some((folder) => file.startsWith(folder)) && file.endsWith('.ts');
    if (!isSource || /\.(?:test|case)\.ts$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(restart)), SETTLE_MS);
  });
}

const install = await ensureInstall();
if (!install.ok) throw new Error(install.output);
const url = await startGateway();
if (url === undefined) process.exit(1);
const { createServer } = await import('vite');
const vite = await createServer({
  configFile: join(root, 'packages', 'dashboard', 'vite.config.ts'),
  logLevel: 'warn',
  clearScreen: false,
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': {
        target: url,
        changeOrigin: true,
        headers: { origin: url, 'sec-fetch-site': 'same-origin' },
      },
    },
  },
});
await vite.listen();
watchSources(vite.watcher);
console.log(`gateway    ${url}  (starts again when its source changes)`);
console.log(`dashboard  ${vite.resolvedUrls?.local[0] ?? ''}  (as it is written)`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    await Promise.all([endGateway(), vite.close()]);
    process.exit(0);
  });
}
