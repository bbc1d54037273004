import { spawn } from 'node:child_process';
import { ensureInstall } from './ensure-install.mjs';
import { installDocsSite } from './install-docs-site.mjs';
import { root } from './run-command.mjs';

// npm run docs                         makes a site of docs/
// npm run docs -- --base /holdfast/    for a host that serves it below that path
// npm run docs -- --serve [--port n]   makes it, then shows it on the loopback address
for (const step of [ensureInstall, installDocsSite]) {
  const { ok, output } = await step();
  if (!ok) {
    console.error(output);
    process.exit(1);
  }
}

const flags = ['--import', 'tsx', '--conditions=@holdfast/source'];
const args = [...flags, 'scripts/docs-site/main.ts', ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
// Ctrl-C reaches the child by itself; a signal to this process alone has to be passed on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
