import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';

/** The version of an SDK in the set that is tested. */
export function peerVersion(name: string): string {
  const folder = process.env['HOLDFAST_PEERS'] ?? root;
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
