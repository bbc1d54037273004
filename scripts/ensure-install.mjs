import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, root, runQuietly } from './run-command.mjs';

// Inside node_modules, so that removing the folder also removes the claim that it is complete.
const stampFile = join(root, 'node_modules', '.holdfast-install');

function wantedStamp() {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(process.version).update(lockfile).digest('hex');
}

function presentStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** Installs exactly what the lockfile says, unless that was done already with this Node. */
export async function ensureInstall() {
  const stamp = wantedStamp();
  if (presentStamp() === stamp) return { ok: true, output: '', seconds: 0 };

  // NODE_ENV=production would leave out the tools; on CI a package that refuses this Node is an error.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (process.env.CI === 'true') args.push('--engine-strict');

  const result = await runQuietly(...npmCommand(args));
  if (result.ok) writeFileSync(stampFile, stamp);
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await ensureInstall();
  if (!result.ok) {
    console.error(result.output);
    process.exitCode = 1;
  }
}
