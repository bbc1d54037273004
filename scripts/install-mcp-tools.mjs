import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install-locked.mjs';
import { root } from './run-command.mjs';
import { installRuntime, runtimes } from './runtimes.mjs';

const source = join(root, 'test', 'mcp');
const folder = join(root, '.cache', 'mcp-tools');

/** Installs the conformance suite and the inspector, and the Node they need, unless that was done. */
export async function installMcpTools() {
  const node = await installRuntime(runtimes.find(({ name }) => name === 'node 22'));
  if (!node.ok) return node;
  const installed = await installLocked(source, folder);
  return { ...installed, node: node.program, modules: join(folder, 'node_modules') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, node, modules } = await installMcpTools();
  console.log(JSON.stringify(ok ? { ok, node, modules } : { ok, reason: output }));
}
