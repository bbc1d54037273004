import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../test/support/repository.ts';
import { LogWatch } from './log-watch.ts';

/** What a gateway holds after its garbage was collected. */
export interface Held {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  /** What keeps its event loop going, by kind. */
  readonly resources: readonly string[];
  /** Of all kinds; undefined where the system does not tell. */
  readonly openFiles: number | undefined;
}

/** What the event loop of a gateway did for some time. */
export interface Busy {
  /** The longest stretch in which it did nothing else. */
  readonly longestMs: number;
  /** By how much memory grew. */
  readonly grownBytes: number;
}

const PRELOAD = fileURLToPath(new URL('../gateway-preload.mjs', import.meta.url));
const HOLDFAST = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
const STARTS_WITHIN_MS = 30_000;

/** The built `holdfast up`, as a process of its own with a way to do things to it from within. */
export class GatewayProcess {
  readonly url: string;
  readonly log: LogWatch;
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #waiting = new Map<number, (answer: object) => void>();
  #asked = 0;

  private constructor(url: string, log: LogWatch, child: ChildProcess, file: string) {
    this.url = url;
    this.log = log;
    this.#child = child;
    this.#file = file;
    child.on('message', (message: { readonly id: number }) => {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
  }

  /** Starts it in a folder, and waits until it takes requests. */
  static async start(config: object, folder: string): Promise<GatewayProcess> {
    const file = join(folder, 'holdfast.yaml');
    writeConfig(file, config);
    const log = new LogWatch();
    const args = ['--expose-gc', '--import', PRELOAD, HOLDFAST, 'up', '--config', file];
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, HOLDFAST_STATE_DIR: join(folder, 'state'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => log.feed(chunk));
    process.once('exit', () => child.kill('SIGKILL'));
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      const failed = (why: string): void =>
        reject(new Error(`the gateway ${why}:\n${said}\n${log.tail.join('\n')}`));
      const timer = setTimeout(() => failed('did not start'), STARTS_WITHIN_MS);
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found === null) return;
        clearTimeout(timer);
        resolve(found[0]);
      });
      child.on('exit', (code, signal) => failed(`ended with ${String(signal ?? code)}`));
    });
    return new GatewayProcess(url, log, child, file);
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('a process that was started has a number');
    return pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How it ended, once it has. */
  get ending(): string | undefined {
    if (this.isRunning) return undefined;
    return String(this.#child.signalCode ?? this.#child.exitCode);
  }

  /** From now on its wall clock is so far off. */
  async shiftClock(ms: number): Promise<void> {
    await this.#tell({ command: 'shift', ms });
  }

  /** How often it has asked for the time while its clock was off. */
  async wrongClockReads(): Promise<number> {
    const { wrongReads } = (await this.#tell({ command: 'clock' })) as {
      readonly wrongReads: number;
    };
    return wrongReads;
  }

  /** Its event loop stands still for so long. Resolves when it goes on. */
  async stall(ms: number): Promise<void> {
    await this.#tell({ command: 'stall', ms });
  }

  /** What its event loop did since this was asked last. */
  async loop(): Promise<Busy> {
    return (await this.#tell({ command: 'loop' })) as Busy;
  }

  /** What it holds as of now, after its garbage was collected. */
  async measure(): Promise<Held> {
    const held = (await this.#tell({ command: 'measure' })) as Omit<Held, 'openFiles'>;
    return { ...held, openFiles: this.openFiles() };
  }

  /** Its open files, of all kinds; undefined where the system does not tell. */
  openFiles(): number | undefined {
    try {
      return readdirSync(`/proc/${this.pid}/fd`).length;
    } catch {
      return undefined;
    }
  }

  /** From now on it keeps so much of every request, on the heap and outside of it, which is what those who look for a leak have to notice. */
  async leak(bytesOfRequest: number): Promise<void> {
    await this.#tell({ command: 'leak', bytesOfRequest });
  }

  /** Puts something else into its configuration, and tells it. */
  reload(config: object | string): void {
    writeConfig(this.#file, config);
    this.#child.kill('SIGHUP');
  }

  /** Tells it to stop. Resolves to what it ended with, or undefined where it has not within that time. */
  async stop(withinMs: number): Promise<string | undefined> {
    if (!this.isRunning) return this.ending;
    const ended = once(this.#child, 'exit', { signal: AbortSignal.timeout(withinMs) });
    this.#child.kill('SIGTERM');
    await ended.catch(() => undefined);
    const { ending } = this;
    if (ending === undefined) this.#child.kill('SIGKILL');
    return ending;
  }

  #tell(message: object): Promise<object> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error(`the gateway ended with ${this.ending ?? '?'}`));
      this.#child.once('exit', gone);
      this.#waiting.set(id, (answer) => {
        this.#child.off('exit', gone);
        resolve(answer);
      });
      this.#child.send({ id, ...message }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }
}

function writeConfig(file: string, config: object | string): void {
  // JSON is YAML.
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
}
