import { posix } from 'node:path';

/**
 * Where a file of the repository is on the site: pages of docs/ at its root, everything else that they link to below
 * `repository/`, so that the two cannot clash.
 */
export function sitePath(path: string): string {
  const placed = path.startsWith('docs/') ? path.slice('docs/'.length) : `repository/${path}`;
  if (!placed.endsWith('.md')) return placed;
  const { dir, base } = posix.parse(placed);
  return base === 'README.md' ? posix.join(dir, 'index.md') : placed;
}
