import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Finished } from './run-node.ts';

export interface PackedPackage {
  /** Of its folder below `packages/`. */
  readonly name: string;
  readonly tarball: string;
  readonly files: readonly string[];
}

/** An empty project into which both packages were installed as they are packed. */
export interface PackedProject {
  readonly ok: boolean;
  /** Why not. */
  readonly reason: string;
  readonly folder: string;
  readonly project: string;
  readonly packages: readonly PackedPackage[];
}

/** A program that runs JavaScript, and what it has to be told before the file. */
export interface Runtime {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

export const THIS_NODE: Runtime = { name: 'this Node', program: process.execPath, args: [] };

/** Runs a program to its end in a folder, as if nothing were being tested here. */
export async function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  { stdin = '', timeoutMs = 60_000 } = {},
): Promise<Finished> {
  const child = startIn(folder, program, args, timeoutMs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** What npm tells its scripts would send a second npm to our own folder; where packages come from stays. */
const OURS =
  /^(?:VITEST|NODE_|FORCE_COLOR|HOLDFAST_(?!STATE_DIR$)|npm_(?!config_(?:registry|cache|userconfig)$))/;

export function startIn(
  folder: string,
  program: string,
  args: readonly string[],
  timeoutMs = 60_000,
): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name));
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1', HOLDFAST_LOG: 'warn' };
  return spawn(program, [...args], { cwd: folder, env, timeout: timeoutMs });
}

/** The program `holdfast` of the project. */
export const installedCli = (project: string): string =>
  join(project, 'node_modules', 'holdfast', 'bin', 'holdfast.js');
