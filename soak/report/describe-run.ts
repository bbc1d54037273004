import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { root } from '../../test/support/repository.ts';

/** On what a run was made. */
export interface RunDescription {
  readonly node: string;
  /** Undefined outside of a repository, as in an archive that was downloaded. */
  readonly commit?: string;
  readonly machine: string;
}

/** @param folder - of the repository */
export function describeRun(folder = root): RunDescription {
  const [cpu] = cpus();
  const commit = commitOf(folder);
  return {
    node: process.version,
    ...(commit !== undefined && { commit }),
    machine: `${cpus().length} x ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
  };
}

function commitOf(folder: string): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', 'packages') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' (changed)' : ''}`;
  } catch {
    return undefined;
  }
}
