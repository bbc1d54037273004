import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, runQuietly } from './run-command.mjs';

/** Installs what the lockfile of a folder says, there or into another one, unless that was done. */
export async function installLocked(source, folder = source) {
  if (folder !== source) {
    mkdirSync(folder, { recursive: true });
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(source, file), join(folder, file));
  }
  const stampFile = join(folder, 'node_modules', '.holdfast-install');
  const lockfile = readFileSync(join(source, 'package-lock.json'));
  const stamp = createHash('sha256').update(lockfile).digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { ok: true };
  // With `--prefix`: without it npm would install into the root of the repository.
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runQuietly(...npmCommand([...args, '--loglevel=error']));
  if (result.ok) writeFileSync(stampFile, stamp);
  return result;
}
