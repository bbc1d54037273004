import { spawnSync } from 'node:child_process';

type Limit = 'nofile' | 'fsize';

/** Changes a limit of a process while it runs; what it may be at most stays. Throws where that cannot be done. */
export function setLimit(pid: number, limit: Limit, soft: string): void {
  prlimit('--pid', String(pid), `--${limit}=${soft}:`);
}

export function getLimit(pid: number, limit: Limit): string {
  return prlimit('--pid', String(pid), `--${limit}`, '--output=SOFT', '--noheadings').trim();
}

/** Why limits of a running process cannot be changed here; undefined where they can. */
export function whyNoLimits(): string | undefined {
  const { error } = spawnSync('prlimit', ['--version'], { stdio: 'ignore' });
  return error === undefined ? undefined : 'there is no prlimit here';
}

function prlimit(...args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync('prlimit', args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`prlimit ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}
