import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { coreEntries, root } from '../../test/support/repository.ts';

/** Bytes of an entry with all that it imports. */
export interface EntrySize {
  readonly minified: number;
  readonly gzipped: number;
}

/** What a program that imports all of an entry gets from it, by what it writes to import it. */
export async function measureSizes(): Promise<ReadonlyMap<string, EntrySize>> {
  const sizes = new Map<string, EntrySize>();
  for (const { specifier, source } of coreEntries()) {
    sizes.set(specifier, await measure(join(root, source)));
  }
  return sizes;
}

async function measure(input: string): Promise<EntrySize> {
  const bundle = await rolldown({ input, platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}
