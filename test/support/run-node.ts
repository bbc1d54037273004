import { spawn } from 'node:child_process';
import { root } from './repository.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript program from source, as `npx tsx` does, with core's source condition. */
export function runNode(args: readonly string[], cwd: string = root): Promise<Finished> {
  const flags = ['--import', import.meta.resolve('tsx'), '--conditions=@holdfast/source'];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, ...args], { cwd, timeout: 60_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
