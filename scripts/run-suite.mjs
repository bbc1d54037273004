import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { runTool } from './run-command.mjs';
import { formatCounts, readCounts, reportFile } from './vitest-counts.mjs';

/** Runs the tests of `vitest.<name>.config.ts`; needs the install and the build. */
export async function runSuite(name, print, flags = []) {
  const report = reportFile(name);
  const vitest = ['run', '--config', `vitest.${name}.config.ts`, ...flags];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const result = await runTool('vitest', [...vitest, ...reporters], { env: { NO_COLOR: '1' } });
  const counts = readCounts(report, result.ok);
  print(`${formatCounts(counts)} (${result.seconds.toFixed(1)} s)`);
  if (!result.ok) print(result.output);
  return counts;
}

/** Installs and builds what is needed, runs the suite, and ends with its verdict. */
export async function runSuiteAlone(name) {
  for (const step of [ensureInstall, build]) {
    const result = await step();
    if (!result.ok) {
      console.log(result.output);
      process.exit(1);
    }
  }
  const { failed } = await runSuite(name, (line) => console.log(line), process.argv.slice(2));
  process.exitCode = failed === 0 ? 0 : 1;
}
