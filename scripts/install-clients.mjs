import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, root, runQuietly } from './run-command.mjs';
import { installRuntime, runtimes } from './runtimes.mjs';

const source = join(root, 'test', 'clients');
const folder = join(root, '.cache', 'clients');
const stampFile = join(folder, 'node_modules', '.holdfast-install');

/** Installs the clients that are tested against the proxy, and the Node they need, unless that was done. */
export async function installClients() {
  const node = await installRuntime(runtimes.find(({ name }) => name === 'node 24'));
  if (!node.ok) return node;
  mkdirSync(folder, { recursive: true });
  // Beside the packages, so that their imports find them.
  cpSync(source, folder, { recursive: true });
  const installed = await installPackages();
  return { ...installed, node: node.program, worker: join(folder, 'worker.mjs') };
}

async function installPackages() {
  const lockfile = readFileSync(join(source, 'package-lock.json'));
  const stamp = createHash('sha256').update(lockfile).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { ok: true };
  // With `--prefix`: without it npm would install into the root of the repository.
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runQuietly(...npmCommand([...args, '--loglevel=error']));
  if (result.ok) writeFileSync(stampFile, stamp);
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output, node, worker } = await installClients();
  console.log(JSON.stringify(ok ? { ok, node, worker } : { ok, reason: output }));
}
