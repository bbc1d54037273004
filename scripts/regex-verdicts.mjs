import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A check of one regex takes a fifth of a second, and there are hundreds. Those that were found safe are kept in
// the repository, so that a fresh clone checks the new ones only; `npm run test:full` checks all of them again.
//
// npm run lint:regexes   keeps what the last lint found safe

const root = fileURLToPath(new URL('..', import.meta.url));
const listFile = join(root, 'eslint.safe-regexes.json');
const isFull = process.env.HOLDFAST_FULL === '1';

/** Where the plugin keeps its verdicts; it makes no folder. */
export const verdictFile = join(root, '.cache', isFull ? 'recheck-full.json' : 'recheck.json');

/** Begins with the verdicts of the repository, where there are none yet. */
export function seedVerdicts() {
  mkdirSync(dirname(verdictFile), { recursive: true });
  if (isFull || existsSync(verdictFile)) return;
  const results = {};
  for (const [source, flags] of JSON.parse(readFileSync(listFile, 'utf8')))
    results[`/${source}/${flags}`] = { source, flags, status: 'safe' };
  writeFileSync(verdictFile, JSON.stringify({ settings: settings(), results }));
}

/** As the plugin writes them: under others, it begins anew. */
function settings() {
  const manifest = join(root, 'node_modules', 'eslint-plugin-redos', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return { version, timeout: 10_000, strategy: 'aggressive', params: {} };
}

function keepVerdicts() {
  const { results } = JSON.parse(readFileSync(verdictFile, 'utf8'));
  const safe = Object.values(results)
    .filter(({ status }) => status === 'safe')
    .map(({ source, flags }) => JSON.stringify([source, flags]))
    .sort();
  writeFileSync(listFile, `[\n${safe.map((each) => `  ${each}`).join(',\n')}\n]\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) keepVerdicts();
