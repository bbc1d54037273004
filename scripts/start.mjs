import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { root } from './run-command.mjs';

// Standard output belongs to the command; what prepares it speaks on standard error.
async function prepare(name, step) {
  // Somebody who has just cloned it would look at an empty screen for half a minute.
  const slow = setTimeout(() => console.error(`${name} …`), 500);
  const result = await step();
  clearTimeout(slow);
  if (!result.ok) {
    console.error(`${name} failed:\n${result.output}`);
    process.exit(1);
  }
  if (result.seconds > 0.5) console.error(`${name} (${result.seconds.toFixed(1)} s)`);
}

await prepare('install', ensureInstall);
await prepare('build', build);

// In this process, so that Ctrl-C and signals reach it once, and nothing is left behind.
const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
const [command = 'start', ...args] = process.argv.slice(2);
process.argv = [process.execPath, bin, command, ...args];
await import(pathToFileURL(bin).href);
