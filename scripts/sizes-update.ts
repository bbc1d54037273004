import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/support/repository.ts';
import { measureSizes } from './reference/measure-sizes.ts';
import { REFERENCE_FOLDER } from './reference/reference-pages.ts';
import { SIZES_FILE, sizesPage } from './reference/sizes-page.ts';

const sizes = await measureSizes();
const page = `${REFERENCE_FOLDER}/sizes.md`;
const files = [
  [SIZES_FILE, `${JSON.stringify(Object.fromEntries(sizes), undefined, 2)}\n`],
  [page, sizesPage(sizes)],
] as const;
for (const [file, text] of files) {
  writeFileSync(join(root, file), text);
  console.log(file);
}
