import { readText } from '../../test/support/repository.ts';
import type { EntrySize } from './measure-sizes.ts';

/** What was measured and reviewed last. */
export const SIZES_FILE = 'test/sizes.json';

export function reviewedSizes(): ReadonlyMap<string, EntrySize> {
  return new Map(Object.entries(JSON.parse(readText(SIZES_FILE)) as Record<string, EntrySize>));
}

/** What each entry of the library adds to a bundle. */
export function sizesPage(sizes: ReadonlyMap<string, EntrySize>): string {
  const rows = [...sizes].map(
    ([specifier, { minified, gzipped }]) =>
      `| \`${specifier}\` | ${kilobytes(minified)} | ${kilobytes(gzipped)} |`,
  );
  return `# Reference: sizes

What each entry of the library adds to a bundle, with all that it imports: everything of it, minified by Rolldown, and that with gzip. A program that imports some names of an entry gets less, since no module does anything when it is loaded. Two entries share what both import. The library has no dependencies.

| entry | minified | gzipped |
| --- | --- | --- |
${rows.join('\n')}

A test fails when an entry has grown or shrunk by more than three per cent; \`npm run sizes:update\` measures again.
`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
