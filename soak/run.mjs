import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepareTools } from '../scripts/prepare-tools.mjs';
import { root } from '../scripts/run-command.mjs';

// `npm run soak`: makes a fresh clone ready, then runs main.ts.
try {
  await prepareTools({ builds: true });
  const file = fileURLToPath(new URL('main.ts', import.meta.url));
  const args = ['--import', 'tsx', file, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('close', (code) => (process.exitCode = code ?? 130));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
