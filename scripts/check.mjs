import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstall } from './ensure-install.mjs';
import { root, runTool } from './run-command.mjs';

// npm run check           format, lint, types and tests of what changed since main, or since HEAD on main
// npm run check -- <ref>  since another commit

/** Tests in test/ that hold what a change may break, by where it was made. */
const HELD_BY = [
  [/\.md$/, ['test/docs-code.test.ts']],
  [
    /^docs\/formats\/|^corpus\/|\/parse\/formats\//,
    ['test/formats.test.ts', 'test/corpus.test.ts', 'test/docs-comparison.test.ts'],
  ],
  [/^packages\/core\/src\//, ['test/import-law.test.ts', 'test/surface.test.ts']],
  [/^packages\/(?:core|gateway)\/src\/|^docs\/reference\//, ['test/reference.test.ts']],
  [/^packages\/gateway\/src\/config\//, ['test/docs-config-tables.test.ts']],
  [/\/plugins\/|^docs\/plugins\.md$/, ['test/docs-plugins.test.ts']],
  [/package-lock\.json$/, ['test/lockfile.test.ts']],
  [/^examples\//, ['test/examples.test.ts']],
];

const CODE = /\.(?:ts|tsx|js|mjs)$/;

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function changedFiles(base) {
  const listed = git('diff', '--name-only', '--diff-filter=ACMR', base);
  if (listed === undefined) throw new Error(`git knows no ${base}`);
  const others = git('ls-files', '--others', '--exclude-standard') ?? '';
  return `${listed}\n${others}`.split('\n').filter((path) => existsSync(join(root, path)) && path);
}

/** The tests that changed, those beside what changed, and those that hold it from outside. */
function testsOf(files) {
  const own = files.flatMap((path) =>
    path.endsWith('.test.ts') ? [path] : [path.replace(/\.tsx?$/, '.test.ts')],
  );
  const held = HELD_BY.flatMap(([where, tests]) =>
    files.some((path) => where.test(path)) ? tests : [],
  );
  const isOurs = (path) => /^(?:packages\/[^/]+\/src\/.*|test\/[^/]+)\.test\.ts$/.test(path);
  return [...new Set([...own, ...held])].filter(
    (path) => isOurs(path) && existsSync(join(root, path)),
  );
}

let failed = 0;

async function check(name, tool, args) {
  const { ok, output, seconds } = await runTool(tool, args, { env: { NO_COLOR: '1' } });
  console.log(`== ${name}: ${ok ? 'ok' : 'failed'} (${seconds.toFixed(1)} s)`);
  if (!ok) console.log(output.trimEnd());
  failed += ok ? 0 : 1;
}

const install = await ensureInstall();
if (!install.ok) throw new Error(install.output);
const base = process.argv[2] ?? git('merge-base', 'HEAD', 'main') ?? 'HEAD';
const files = changedFiles(base);
const code = files.filter((path) => CODE.test(path));
const tests = testsOf(files);
console.log(`${files.length} files changed since ${base.slice(0, 12)}`);
if (files.length > 0) await check('format', 'prettier', ['--check', '--ignore-unknown', ...files]);
if (code.length > 0) {
  await check('lint', 'eslint', ['--no-warn-ignored', ...code]);
  // What did not change is not checked again.
  const cache = ['--incremental', '--tsBuildInfoFile', '.cache/check.tsbuildinfo'];
  await check('types', 'tsc', ['-p', 'tsconfig.json', ...cache]);
}
if (tests.length > 0) await check(`${tests.length} test files`, 'vitest', ['run', ...tests]);
process.exitCode = failed === 0 ? 0 : 1;
