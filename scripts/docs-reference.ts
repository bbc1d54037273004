import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../test/support/repository.ts';
import { REFERENCE_FOLDER, referencePages } from './reference/reference-pages.ts';

// Pages of entries that are gone must go too.
const folder = join(root, REFERENCE_FOLDER);
const pages = await referencePages();
rmSync(folder, { recursive: true, force: true });
for (const [name, text] of pages) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`${REFERENCE_FOLDER}/${name}`);
}
