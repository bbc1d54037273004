import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstall } from './ensure-install.mjs';
import { root, runTool } from './run-command.mjs';

// Standard output belongs to the demo; what prepares it speaks on standard error.
async function prepare(name, step) {
  const result = await step();
  if (!result.ok) {
    console.error(`${name} failed:\n${result.output}`);
    process.exit(1);
  }
  if (result.seconds > 0.5) console.error(`${name} (${result.seconds.toFixed(1)} s)`);
}

await prepare('install', ensureInstall);
await prepare('build', () => runTool('tsc', ['-b', 'tsconfig.build.json']));

const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
const demo = spawn(process.execPath, [bin, 'demo', ...process.argv.slice(2)], { stdio: 'inherit' });

// Ctrl-C reaches the demo as well; wait for it, so that it can say goodbye.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => demo.kill('SIGTERM'));
demo.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
