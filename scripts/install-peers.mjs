import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install-locked.mjs';
import { root } from './run-command.mjs';
import { installRuntime, runtimes } from './runtimes.mjs';

/** Installs a set of SDKs that the adapters are tested with, and the Node they need, unless that was done. */
export async function installPeers(set) {
  const node = await installRuntime(runtimes.find(({ name }) => name === 'node 24'));
  if (!node.ok) return node;
  const folder = join(root, '.cache', 'peers', set);
  const installed = await installLocked(join(root, 'test', 'adapters', 'peers', set), folder);
  return { ...installed, node: node.program, folder };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, node, folder } = await installPeers(process.argv[2] ?? 'newest');
  console.log(JSON.stringify(ok ? { ok, node, folder } : { ok, reason: output }));
}
