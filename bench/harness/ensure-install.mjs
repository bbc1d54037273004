import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npmCommand, runQuietly } from '../../scripts/run-command.mjs';
import { peerAliases } from './peer-aliases.mjs';

const bench = fileURLToPath(new URL('..', import.meta.url));
const stampFile = `${bench}node_modules/.holdfast-install`;

/** Installs the peers, which the workspace neither has nor wants, unless that was done already. */
export async function ensureInstall() {
  const lockfile = readFileSync(`${bench}package-lock.json`);
  const stamp = createHash('sha256').update(process.version).update(lockfile).digest('hex');
  if (readStamp() === stamp) return;
  // With `--prefix`: without it npm would install into the root of the repository.
  const args = ['ci', '--prefix', bench, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runQuietly(...npmCommand(args));
  if (!result.ok) throw new Error(`the peers could not be installed:\n${result.output}`);
  writeFileSync(stampFile, stamp);
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** Name and version of every peer that is measured on this Node. */
export function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(`${bench}package.json`, 'utf8'));
  const isMeasured = ([key, wanted]) =>
    !isAlias(wanted) || Object.values(peerAliases).includes(key);
  return Object.fromEntries(Object.entries(dependencies).filter(isMeasured).map(toVersion));
}

const isAlias = (wanted) => wanted.startsWith('npm:');

function toVersion([key, wanted]) {
  return isAlias(wanted) ? wanted.slice('npm:'.length).split('@') : [key, wanted];
}
