import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { execPath, platform } from 'node:process';
import type { Writable } from 'node:stream';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { checkFilesLeft } from './check-files-left.ts';
import type { ProcessGroup } from './process-group.ts';
import { superviseGroups } from './supervise-groups.ts';

type Supervisor = ChildProcessByStdio<Writable, null, null>;

/** One that ends sooner than this after its start is not started again at once. */
const SHORT_LIFE_MS = 1000;

/**
 * Sees to it that no child outlives the gateway, even one that was killed and could clean up nothing. A small
 * process of its own holds the other end of a pipe; when that closes, it ends the groups it was told of. It is
 * started with the first group, and anew if it is lost.
 */
export class GroupSupervisor {
  readonly #clock: Clock;
  readonly #groups = new Map<number, string>();
  #process: Supervisor | undefined;
  #cancelRestart: (() => void) | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Of the supervisor, while there is one. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Is there before the first child is, so that there is no moment in which one is unknown. Throws where it cannot be. */
  prepare(): void {
    if (this.#process === undefined && this.#cancelRestart === undefined) this.#start();
  }

  /** To be called in the tick in which the group is born. */
  add(group: ProcessGroup): void {
    this.#groups.set(group.id, group.mark ?? '');
    this.#tell(`+${group.id} ${group.mark ?? ''}\n`);
  }

  /** To be called when nobody of the group is left: its number may soon be somebody else's. */
  remove(group: ProcessGroup): void {
    if (this.#groups.delete(group.id)) this.#tell(`-${group.id}\n`);
  }

  /** Ends the supervisor, and with it all groups that were not removed. */
  close(): void {
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
    this.#groups.clear();
    const supervisor = this.#process;
    this.#process = undefined;
    supervisor?.stdin.end();
  }

  #tell(line: string): void {
    this.#process?.stdin.write(line);
  }

  #start(): void {
    checkFilesLeft();
    const startedAt = this.#clock.now();
    const supervisor = spawn(execPath, [...FLAGS, '--eval', PROGRAM], {
      // Its own session: what is done to the terminal, or to the gateway's group, is not done to it.
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      // Options of Node meant for the gateway are not meant for it, nor are secrets.
      env: {},
      ...(platform === 'win32' ? {} : { cwd: '/' }),
    });
    const lost = (): void => {
      if (this.#process === supervisor) this.#restart(startedAt);
    };
    supervisor.on('error', lost);
    supervisor.on('exit', lost);
    if (supervisor.pid === undefined) {
      // It has no pipe then, whatever its type says.
      this.#startLater();
      return;
    }
    supervisor.stdin.on('error', () => undefined);
    supervisor.unref();
    this.#process = supervisor;
    for (const [group, mark] of this.#groups) this.#tell(`+${group} ${mark}\n`);
  }

  #restart(startedAt: number): void {
    this.#process = undefined;
    if (this.#groups.size === 0) return;
    if (this.#clock.now() - startedAt >= SHORT_LIFE_MS) this.#startOrWait();
    else this.#startLater();
  }

  #startOrWait(): void {
    try {
      this.#start();
    } catch {
      // There are no files left; there may be some soon.
      this.#startLater();
    }
  }

  #startLater(): void {
    this.#cancelRestart = this.#clock.setTimer(
      () => {
        this.#cancelRestart = undefined;
        this.#startOrWait();
      },
      SHORT_LIFE_MS,
      true,
    );
  }
}

/** No threads for a compiler it does not need, and a heap as small as its work. */
const FLAGS = ['--v8-pool-size=0', '--max-semi-space-size=1', '--max-old-space-size=16'];

const PROGRAM = `(${superviseGroups.toString()})()`;

/** The one of this process. */
export const groupSupervisor: GroupSupervisor = new GroupSupervisor();
