import { readFileSync } from 'node:fs';
import { peerAliases } from './peer-aliases.mjs';

const manifest = new URL('../package.json', import.meta.url);

/** Name and version of every peer that is measured on this Node. */
export function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const isMeasured = ([key, wanted]) =>
    !isAlias(wanted) || Object.values(peerAliases).includes(key);
  return Object.fromEntries(Object.entries(dependencies).filter(isMeasured).map(toVersion));
}

const isAlias = (wanted) => wanted.startsWith('npm:');

function toVersion([key, wanted]) {
  return isAlias(wanted) ? wanted.slice('npm:'.length).split('@') : [key, wanted];
}
