import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './repository.ts';
import type { Finished } from './run-node.ts';

/** Starts the built `holdfast`, at the root of the repository unless a folder is given. */
export function startCli(args: readonly string[], cwd = root): ChildProcessWithoutNullStreams {
  const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
  const { FORCE_COLOR: _, ...env } = process.env;
  return spawn(process.execPath, [bin, ...args], { cwd, env, timeout: 30_000 });
}

/** Runs the built `holdfast` to its end. */
export async function runCli(args: readonly string[], stdin = '', cwd = root): Promise<Finished> {
  const child = startCli(args, cwd);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
