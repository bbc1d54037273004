import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../test/support/repository.ts';
import { siteProblems } from './check-site.ts';
import { serveSite } from './serve-site.ts';
import { siteFolder, stageSite } from './stage-site.ts';

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: '/' },
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
  },
});
const base = `/${values.base}/`.replace(/\/+/g, '/');
const dist = join(siteFolder, 'dist');

const { pages, problems } = stageSite();
endIf(problems);
endIf(await runVitePress());
endIf(siteProblems(dist, base));
console.log(`${pages} pages: ${relative(root, join(dist, 'index.html'))}`);
if (values.serve) {
  const { url } = await serveSite(dist, base, Number(values.port));
  console.log(`${url} (Ctrl-C ends it)`);
}

function endIf(found: readonly string[]): void {
  for (const problem of found) console.error(problem);
  if (found.length > 0) process.exit(1);
}

/** What it printed, if it failed. */
async function runVitePress(): Promise<string[]> {
  const program = join(siteFolder, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const child = spawn(process.execPath, [program, 'build', siteFolder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOLDFAST_DOCS_BASE: base, NO_COLOR: '1' },
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (told += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? [] : [told.trimEnd()];
}
