import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install-locked.mjs';
import { root } from './run-command.mjs';

const source = join(root, 'test', 'publishing');
const folder = join(root, '.cache', 'publishing');

/** Installs what the packages and the container files are checked with, unless that was done. */
export async function installPublishingTools() {
  const installed = await installLocked(source, folder);
  return { ...installed, modules: join(folder, 'node_modules') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, modules } = await installPublishingTools();
  console.log(JSON.stringify(ok ? { ok, modules } : { ok, reason: output }));
}
