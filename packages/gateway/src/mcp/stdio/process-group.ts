import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { platform } from 'node:process';

/** The variable by which the processes of a server are found on Linux, also those that left its group. */
export const SERVER_ID = 'HOLDFAST_SERVER_ID';

/**
 * A process that we started and all that it started, as long as they stay in its group. On Windows, which has
 * no groups, the tree below the process.
 */
export class ProcessGroup {
  /** Of the first process, which names the group. */
  readonly id: number;
  /** The value of `SERVER_ID` in its environment; undefined where it has none. */
  readonly mark: string | undefined;

  constructor(id: number, mark?: string) {
    this.id = id;
    this.mark = mark;
  }

  /**
   * Processes with the mark of the group in their environment, wherever they are. Only Linux shows the environment of
   * others, and only of the same user; what a process without it started cannot be found.
   */
  async marked(): Promise<readonly number[]> {
    if (this.mark === undefined) return [];
    const entry = `${SERVER_ID}=${this.mark}`;
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
        return environment.split('\0').includes(entry) ? [Number(pid)] : [];
      }),
    );
    return found.flat();
  }

  /** Signals the marked processes. Returns whether there were any. */
  async signalMarked(signal: NodeJS.Signals | 0): Promise<boolean> {
    const pids = await this.marked();
    for (const pid of pids) kill(pid, signal);
    return pids.length > 0;
  }

  /** Nothing happens where nobody is left. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (platform === 'win32') {
      // There are no signals: whoever does not end by itself is ended.
      const args = ['/pid', `${this.id}`, '/T', '/F'];
      execFile('taskkill', args, { windowsHide: true }, () => undefined);
      return;
    }
    kill(-this.id, signal);
  }

  /** Whether a process of the group still runs. Once none does, its number may become somebody else's. */
  isAlive(): boolean {
    if (platform === 'win32') return kill(this.id, 0);
    return kill(-this.id, 0) && (platform !== 'linux' || hasLivingMember(this.id));
  }
}

function kill(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // Nobody is left, or only those who are not ours to end.
    return false;
  }
}

/**
 * Processes that have ended stay in the group until somebody takes note of it, which in a container may be
 * late or never. Only Linux says who they are.
 */
function hasLivingMember(group: number): boolean {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    // Not to be seen here: then all that are there count as living.
    return true;
  }
  return entries.some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    const [state, , groupOf] = readStat(entry);
    return groupOf === `${group}` && state !== 'Z' && state !== 'X';
  });
}

/** State, parent and group: what follows the name, which may have spaces and parentheses of its own. */
function readStat(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  } catch {
    return [];
  }
}
