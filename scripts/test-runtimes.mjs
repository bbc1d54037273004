import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { runQuietly, tools } from './run-command.mjs';
import { installRuntime, runtimes } from './runtimes.mjs';
import { formatCounts, readCounts, reportFile } from './vitest-counts.mjs';

async function runSuite(runtime, program) {
  const report = reportFile(runtime.name.replace(' ', '-'));
  const vitest = ['run', '--config', 'vitest.dist.config.ts', '--passWithNoTests'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [...runtime.args, tools.vitest, ...vitest, ...reporters];
  const env = { NO_COLOR: '1', HOLDFAST_FULL: '0', HOLDFAST_FEW_RUNS: '1' };
  const result = await runQuietly(program, args, { env });
  return { ...result, counts: readCounts(report, result.ok) };
}

/** One process of vitest leaves half of a small machine idle. */
const AT_ONCE = 2;

/** Runs the tests of core on other runtimes, all of them or few; needs the install and the build. */
export async function testRuntimes(print, { few = false } = {}) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const queue = runtimes.filter(({ isBetween = false }) => !few || !isBetween).values();
  const work = async () => {
    for (const runtime of queue) await testRuntime(runtime, total, print);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return total;
}

async function testRuntime(runtime, total, print) {
  const label = `${runtime.name} (${runtime.version})`.padEnd(18);
  const installed = await installRuntime(runtime);
  if (!installed.ok) {
    total.failed += 1;
    print(`${label} could not be installed\n${installed.output}`);
    return;
  }
  const { ok, counts, output, seconds } = await runSuite(runtime, installed.program);
  print(`${label} ${formatCounts(counts)} (${seconds.toFixed(1)} s)`);
  if (!ok) print(output);
  for (const key of Object.keys(total)) total[key] += counts[key];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const step of [ensureInstall, build]) {
    const result = await step();
    if (!result.ok) {
      console.log(result.output);
      process.exit(1);
    }
  }
  const total = await testRuntimes((line) => console.log(line));
  console.log(formatCounts(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}
