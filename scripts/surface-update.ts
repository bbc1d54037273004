import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/support/repository.ts';
import { publicSurface } from '../test/support/surface.ts';

// Files of entries that are gone must go too.
const folder = join(root, 'test', 'surface');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, text] of publicSurface()) {
  writeFileSync(join(folder, file), text);
  console.log(`test/surface/${file}`);
}
