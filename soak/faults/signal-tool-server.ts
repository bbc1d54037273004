import { readFileSync } from 'node:fs';
import type { World } from '../world/world.ts';

/** Sends a signal to the newest process of a tool server. Returns its number; undefined where none runs. */
export function signalToolServer(
  { ledger, effects, tally }: World,
  server: string,
  signal: 'SIGKILL' | 'SIGSTOP',
): number | undefined {
  effects.ran(ledger.read());
  const pid = ledger.pidOf(server);
  if (pid === undefined || !isToolServer(pid) || !send(pid, signal)) return undefined;
  tally.signalled++;
  return pid;
}

/** Lets a process go on that was stopped. */
export function letGoOn(pid: number): void {
  if (isToolServer(pid)) send(pid, 'SIGCONT');
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The number of a process that has ended may be somebody else's by now. */
function isToolServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tool-server.mjs');
  } catch {
    return process.platform !== 'linux';
  }
}
