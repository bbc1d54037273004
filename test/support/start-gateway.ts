import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './repository.ts';

export interface RunningGateway {
  /** Without a path: `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly pid: number;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  close(): Promise<void>;
}

/** Starts the built `holdfast up` with a configuration, on a free port. `nodeArgs` are for Node itself. */
export async function startGateway(
  config: object,
  nodeArgs: readonly string[] = [],
): Promise<RunningGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-gateway-'));
  const file = join(folder, 'holdfast.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ listen: '127.0.0.1:0', ...config }));
  const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
  const child = spawn(process.execPath, [...nodeArgs, bin, 'up', '--config', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout);
      if (found !== null) resolve(found[0]);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      reject(new Error(`the gateway ended with ${String(code)} before it served:\n${stderr}`)),
    );
  });
  return {
    url,
    pid: child.pid!,
    log: () => stderr,
    close: async () => {
      const closed = once(child, 'close');
      child.kill();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}
