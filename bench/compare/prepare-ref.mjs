import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { npmCommand } from '../../scripts/run-command.mjs';

/** What the benchmarks need of `scripts/`. */
const SCRIPTS = ['run-command.mjs', 'runtimes.mjs'];
/** What `bench/` holds that is not part of measuring. */
const LEFT_OUT = ['node_modules', 'results'];

/**
 * Builds another commit in a worktree of its own, with the benchmarks of this one on top, so that both are
 * measured alike. What was built stays until another commit is asked for.
 */
export async function prepareRef(ref, root, print) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const sha = readSha(git, ref);
  const folder = join(root, '.cache', 'bench-ref');
  const tree = join(folder, sha);
  const stamp = join(tree, '.built');
  if (!existsSync(stamp)) {
    print(`building ${ref} (${sha.slice(0, 7)}) in .cache/bench-ref`);
    rmSync(folder, { recursive: true, force: true });
    git('worktree', 'prune');
    mkdirSync(folder, { recursive: true });
    git('worktree', 'add', '--quiet', '--detach', tree, sha);
    install(root, tree);
    // As that commit builds itself.
    run(...npmCommand(['run', 'build']), tree, `${ref} cannot be built`);
    writeFileSync(stamp, '');
  }
  putBenchmarks(root, tree);
  return { tree, sha };
}

function readSha(git, ref) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  } catch {
    throw new Error(`--compare: there is no commit ${JSON.stringify(ref)}`);
  }
}

/** The modules of this tree where they are the same, but for the packages of the workspace, which are that tree's own. */
function install(root, tree) {
  const lockfile = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockfile(root) !== lockfile(tree)) {
    const args = ['ci', '--prefix', tree, '--ignore-scripts', '--no-audit', '--no-fund'];
    return run(...npmCommand(args), tree, 'its dependencies could not be installed');
  }
  link(join(root, 'node_modules'), join(tree, 'node_modules'), (name) => name !== '@holdfast');
  mkdirSync(join(tree, 'node_modules', '@holdfast'));
  const packages = readdirSync(join(tree, 'packages'));
  for (const name of packages) linkPackage(tree, name);
  for (const name of packages) {
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) link(own, join(tree, 'packages', name, 'node_modules'), () => true);
  }
}

function linkPackage(tree, folder) {
  const path = join(tree, 'packages', folder);
  const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const place = join(tree, 'node_modules', name);
  rmSync(place, { force: true });
  symlinkSync(path, place, 'junction');
}

function link(from, to, isWanted) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter(isWanted))
    symlinkSync(join(from, name), join(to, name), 'junction');
}

function putBenchmarks(root, tree) {
  const to = join(tree, 'bench');
  rmSync(to, { recursive: true, force: true });
  cpSync(join(root, 'bench'), to, {
    recursive: true,
    filter: (path) => !LEFT_OUT.includes(basename(path)),
  });
  symlinkSync(join(root, 'bench', 'node_modules'), join(to, 'node_modules'), 'junction');
  for (const name of SCRIPTS) cpSync(join(root, 'scripts', name), join(tree, 'scripts', name));
}

function run(program, args, cwd, failure) {
  try {
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${failure}:\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });
  }
}
