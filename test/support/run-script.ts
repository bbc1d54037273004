import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './repository.ts';

/** Runs a script of the repository that prints JSON, in a process of its own, and returns what it printed. */
export async function runScript<Result>(name: string, ...args: string[]): Promise<Result> {
  const child = spawn(process.execPath, [join(root, 'scripts', name), ...args], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => process.stderr.write(chunk));
  await once(child, 'close');
  return JSON.parse(output) as Result;
}
