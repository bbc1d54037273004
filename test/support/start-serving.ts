import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './repository.ts';

/** A program that serves HTTP. */
export interface Serving {
  /** As it printed it. */
  readonly url: string;
  readonly pid: number;
  /** What it wrote so far. */
  readonly log: () => string;
  /** Tells it to end, and waits until it has. Resolves to its exit code. */
  close(): Promise<number | null>;
}

/** Starts a program with Node, and waits until it prints where it serves. */
export async function startServing(args: readonly string[], cwd: string = root): Promise<Serving> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: string): void => {
      log += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d[\w/]*(?=[\s",])/.exec(log);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('error', reject);
    child.on('close', (code) =>
      reject(new Error(`${args.join(' ')} ended with ${String(code)} before it served:\n${log}`)),
    );
  });
  return {
    url,
    pid: child.pid!,
    log: () => log,
    close: async () => {
      const closed = once(child, 'close') as Promise<[code: number | null]>;
      child.kill();
      const [code] = await closed;
      return code;
    },
  };
}
