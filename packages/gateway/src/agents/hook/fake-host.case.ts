import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HookEvent, HookHost, HookMoment } from './hook-host.ts';

/** An agent whose payloads are the moments themselves. */
export const fakeHost: HookHost = {
  name: 'claude-code',
  silence: 'silence',
  read: (payload) => Promise.resolve(payload as HookMoment & { [key: string]: never }),
  write: (_, answer) => JSON.stringify(answer),
};

/** A shell command that failed because there is no such file. */
export function failed(id: string, path = 'a.txt'): HookEvent {
  const call = { tool: 'bash', arguments: { command: `cat ${path}` }, id };
  const output = `cat: ${path}: No such file or directory`;
  return { kind: 'after', call, result: { tool: 'bash', exitCode: 1, output } };
}

export function moment(events: readonly HookEvent[], canSpeak = true): string {
  return JSON.stringify({ conversation: 'one', events, canSpeak });
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hook-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
