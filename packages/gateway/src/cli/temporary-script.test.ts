import { expect, test } from 'vitest';
import { isTemporaryScript } from './temporary-script.ts';

test.each([
  ['/home/me/.npm/_npx/0a1b/node_modules/holdfast/bin/holdfast.js', true],
  ['/home/me/.cache/pnpm/dlx-1234/node_modules/holdfast/bin/holdfast.js', true],
  ['C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\0a\\node_modules\\holdfast\\bin\\x.js', true],
  ['/temporary/bunx-0-holdfast/node_modules/holdfast/bin/holdfast.js', true],
  ['/temporary/xfs-0a1b/dlx-12/node_modules/holdfast/bin/holdfast.js', true],
  ['/usr/lib/node_modules/holdfast/bin/holdfast.js', false],
  ['/temporary/holdfast/bin/holdfast.js', false],
])('%s will be gone some day: %s', (script, expected) => {
  expect(isTemporaryScript(script)).toBe(expected);
});
