import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureInstall as ensureWorkspace } from '../scripts/ensure-install.mjs';
import { npmCommand, runQuietly } from '../scripts/run-command.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const stampFile = `${here}node_modules/.holdfast-install`;

/** Installs the workspace, and Stryker, unless that was done already. */
export async function ensureInstall() {
  const workspace = await ensureWorkspace();
  if (!workspace.ok) throw new Error(`the workspace could not be installed:\n${workspace.output}`);
  const stamp = createHash('sha256')
    .update(readFileSync(`${here}package-lock.json`))
    .digest('hex');
  if (readStamp() === stamp) return;
  // With `--prefix`: without it npm would install into the root of the repository.
  const args = ['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runQuietly(...npmCommand([...args, '--loglevel=error']));
  if (!result.ok) throw new Error(`Stryker could not be installed:\n${result.output}`);
  writeFileSync(stampFile, stamp);
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}
