import { spawn } from 'node:child_process';
import type { JsonObject } from '@holdfast/core';
import type { HostName } from '../host-name.ts';
import type { InstallContext } from './agent-installer.ts';

/** What came of running the hook once. */
export interface HookTrial {
  readonly milliseconds: number;
  /** Undefined where it was ended, or could not be started. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** What it said on standard error, or why it could not be started. */
  readonly error: string;
}

/** No agent waits longer. */
const LIMIT_MS = 10_000;

/** Runs the hook as the agent does: a process that is told a moment, and answers. */
export function tryHook(
  name: HostName,
  { node, script, env }: InstallContext,
  moment: JsonObject,
): Promise<HookTrial> {
  const begun = performance.now();
  const child = spawn(node, [script, 'hook', name], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const printed = { output: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.error += text));
  // It may end without having read all of it.
  child.stdin.on('error', () => undefined).end(JSON.stringify(moment));
  return new Promise((resolve) => {
    const end = (exitCode: number | undefined, error: string): void => {
      const milliseconds = Math.round(performance.now() - begun);
      resolve({ milliseconds, exitCode, output: printed.output, error });
    };
    child.once('error', (error) => {
      end(undefined, error.message);
    });
    child.once('close', (code) => {
      end(code ?? undefined, printed.error);
    });
  });
}
