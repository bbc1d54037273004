import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { ensureParts } from './ensure-parts.mjs';
import { runQuietly, runTool } from './run-command.mjs';
import { runSuite } from './run-suite.mjs';
import { testRuntimes } from './test-runtimes.mjs';
import { formatCounts, readCounts, readLeftOut, reportFile } from './vitest-counts.mjs';

// npm test               every check
// npm test -- <filter>   only the test files whose path contains the filter
// npm run test:full      also other runtimes, real agents, MCP's own suite, a soak run, some mutants, and longer
//                        property tests
const full = process.argv.includes('--full');
const filters = process.argv.slice(2).filter((argument) => argument !== '--full');
const env = { NO_COLOR: '1', ...(full && { HOLDFAST_FULL: '1' }) };

const total = { passed: 0, failed: 0, skipped: 0 };
const add = (counts) => {
  for (const key of Object.keys(total)) total[key] += counts[key];
};

function report(name, { ok, output, seconds }, detail = ok ? 'ok' : 'failed') {
  console.log(`== ${name}: ${detail} (${seconds.toFixed(1)} s)`);
  if (!ok) console.log(output.trimEnd());
}

const lastLine = ({ output }) => output.trimEnd().split('\n').at(-1);

async function check(name, run) {
  const result = await run();
  report(name, result);
  add(result.ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 });
}

function finish() {
  console.log(formatCounts(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

const format = () => runTool('prettier', ['--check', '.'], { env });
const lint = () => runTool('eslint', ['.'], { env });
const types = () => runTool('tsc', ['-p', 'tsconfig.json'], { env });
const coreTypes = () =>
  runTool('tsc', ['-p', 'packages/core/tsconfig.build.json', '--noEmit'], { env });

const dashboardTypes = () => runTool('tsc', ['-p', 'packages/dashboard'], { env });

async function tests() {
  const file = reportFile('vitest');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const result = await runTool('vitest', ['run', ...reporters, ...filters], { env });
  const counts = readCounts(file, result.ok);
  report('tests', result, formatCounts(counts));
  for (const test of readLeftOut(file)) console.log(`   left out: ${test}`);
  add(counts);
}

async function runtimes() {
  if (!full && process.env.CI !== 'true') {
    console.log('== other runtimes: left out; `npm run test:runtimes` runs them');
    return;
  }
  console.log('== other runtimes');
  add(await testRuntimes((line) => console.log(line), { few: !full }));
}

/** What is run beside us. Without it the tests that need it are left out, or fail on CI: they count, not this. */
async function parts() {
  const result = await ensureParts(['redis', 'prometheus', 'chromium', 'zsh', 'fish']);
  if (!result.ok) report('parts', result, 'missing');
}

/** What has to be fetched first: `mcp` or `agents`. */
async function suite(name, title) {
  if (!full) {
    console.log(`== ${title}: left out; \`npm run test:${name}\` runs it`);
    return;
  }
  console.log(`== ${title}`);
  add(await runSuite(name, (line) => console.log(line)));
}

/** Links and code of the docs are checked with the tests; that they make a site takes an install of its own. */
async function docsSite() {
  if (!full) {
    console.log('== docs site: left out; `npm run docs` builds it');
    return;
  }
  await check('docs site', () => runQuietly(process.execPath, ['scripts/docs.mjs'], { env }));
}

/** One minute of everything breaking. Its seed is always the same, so that a failure can be repeated. */
async function soak() {
  if (!full) {
    console.log('== soak: left out; `npm run soak -- --minutes 1` runs it');
    return;
  }
  const args = ['--import', 'tsx', 'soak/main.ts', '--minutes', '1', '--seed', '1', '--no-write'];
  const result = await runQuietly(process.execPath, args, { env });
  report('soak of one minute, seed 1', result, lastLine(result));
  add(result.ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 });
}

/** The files whose mistakes cost most: a mutant in them that no test notices has to be explained. */
async function mutants() {
  if (!full) {
    console.log('== mutants: left out; `npm run mutation` tries them');
    return;
  }
  const files = [
    'packages/core/src/internal/{circuit-machine,call-window}.ts',
    'packages/core/src/guard/{execution,executor,deadlines}.ts',
  ].flatMap((glob) => ['--files', glob]);
  const result = await runQuietly(
    process.execPath,
    ['mutation/run.mjs', '--quiet', ...files],
    // The laws are asked about the same few values as ever.
    { env: { NO_COLOR: '1' } },
  );
  report('mutants of the circuits and the executor', result, lastLine(result));
  add(result.ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 });
}

async function checkTheRest() {
  await check('format', format);
  await check('types', types);
  await check('types of core alone', coreTypes);
  await check('types of the dashboard', dashboardTypes);
  await check('build', () => build({ env }));
}

const install = await ensureInstall();
if (!install.ok) {
  report('install', install);
  add({ passed: 0, failed: 1, skipped: 0 });
  finish();
} else if (filters.length > 0) {
  await check('build', () => build({ env }));
  await parts();
  await tests();
  finish();
} else {
  // Lint takes one core, and as long as all that tests no timing takes with the other.
  await Promise.all([check('lint', lint), checkTheRest().then(runtimes), parts()]);
  await tests();
  await docsSite();
  await soak();
  await mutants();
  await suite('mcp', 'conformance of the MCP gateway');
  await suite('agents', 'real agents');
  finish();
}
