import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install-locked.mjs';
import { root } from './run-command.mjs';
import { installRuntime, runtimes } from './runtimes.mjs';

const source = join(root, 'test', 'clients');
const folder = join(root, '.cache', 'clients');

/** Installs the clients that are tested against the proxy, and the Node they need, unless that was done. */
export async function installClients() {
  const node = await installRuntime(runtimes.find(({ name }) => name === 'node 24'));
  if (!node.ok) return node;
  const installed = await installLocked(source, folder);
  // Beside the packages, so that their imports find them.
  cpSync(source, folder, { recursive: true });
  return { ...installed, node: node.program, worker: join(folder, 'worker.mjs') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, node, worker } = await installClients();
  console.log(JSON.stringify(ok ? { ok, node, worker } : { ok, reason: output }));
}
