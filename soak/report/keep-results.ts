import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../test/support/repository.ts';

/** Keeps what a run came to in the file of the day, in the place of an earlier one of its kind. Returns its path. */
export function keepResults(kind: 'faults' | 'calls', outcome: object): string {
  const folder = join(root, 'soak', 'results');
  const path = join(folder, `${new Date().toISOString().slice(0, 10)}.json`);
  mkdirSync(folder, { recursive: true });
  const others = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {};
  const kept = { ...others, [kind]: { ...describeRun(), ...outcome } };
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
  return path;
}

function describeRun(): object {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'packages') !== '';
  const [cpu] = cpus();
  return {
    node: process.version,
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' (changed)' : ''}`,
    machine: `${cpus().length} x ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
  };
}
