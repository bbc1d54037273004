import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { CircuitOptions, CircuitState } from '../../packages/core/src/guard/index.ts';
import { root } from './repository.ts';

/** How a replica is started. */
export interface ReplicaSetup {
  readonly url: string;
  readonly replica: string;
  /** How wrong its clock is. */
  readonly skewMs: number;
}

export interface ReplicaSettings {
  readonly isFailing?: boolean;
  /** Tools that fail whatever the others do. */
  readonly broken?: readonly string[];
  /** How long the tool takes; a few milliseconds by chance where it is 0. */
  readonly hangsFor?: number;
  /** What it calls on and on, and how these circuits are set up. */
  readonly names?: readonly string[];
  readonly circuit?: CircuitOptions;
  readonly paceMs?: number;
}

export type ReplicaOrder = { readonly id: number } & (
  | { readonly op: 'set'; readonly settings: ReplicaSettings }
  | { readonly op: 'meet' | 'call' | 'isolate' | 'reset'; readonly name: string }
  | { readonly op: 'begin' | 'end' | 'admissions' | 'look' | 'close' }
);
type Asked = ReplicaOrder extends infer Order
  ? Order extends ReplicaOrder
    ? Omit<Order, 'id'>
    : never
  : never;

/** What became of the calls of one circuit. */
export interface CallCounts {
  made: number;
  /** Those that reached the tool, and those of them that were probes. */
  calls: number;
  probes: number;
  refused: number;
  /** Those of which the caller has heard how they ended: well, or not. */
  succeeded: number;
  failed: number;
}

/** What a replica knows of itself. */
export interface ReplicaCounts {
  /** By circuit. */
  readonly counts: Readonly<Record<string, CallCounts>>;
  readonly states: Readonly<Record<string, CircuitState>>;
  /** As the fleet has told them. */
  readonly openings: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, number>>;
  readonly isDegraded: boolean;
  readonly replicas: number;
  readonly events: readonly string[];
  readonly unhandled: number;
  readonly memoryBytes: number;
}

/** A process that is one replica of a fleet. */
export class FleetReplica {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #lastId = 0;
  #errors = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.#errors += chunk));
    child.on('message', ({ id, value }: { id: number; value: unknown }) => {
      this.#waiting.get(id)?.(value);
      this.#waiting.delete(id);
    });
  }

  static async start(setup: ReplicaSetup): Promise<FleetReplica> {
    const program = join(root, 'test', 'support', 'fleet-replica-process.ts');
    const child = fork(program, [JSON.stringify(setup)], {
      cwd: root,
      execArgv: ['--import', import.meta.resolve('tsx'), '--conditions=@holdfast/source'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const replica = new FleetReplica(child);
    await once(child, 'message');
    return replica;
  }

  /** What it wrote to standard error. */
  get errors(): string {
    return this.#errors;
  }

  async set(settings: ReplicaSettings): Promise<void> {
    await this.#ask({ op: 'set', settings });
  }

  /** Gets to know a circuit, without a call. */
  async meet(name: string): Promise<void> {
    await this.#ask({ op: 'meet', name });
  }

  async call(name: string): Promise<void> {
    await this.#ask({ op: 'call', name });
  }

  async isolate(name: string): Promise<void> {
    await this.#ask({ op: 'isolate', name });
  }

  async reset(name: string): Promise<void> {
    await this.#ask({ op: 'reset', name });
  }

  /** Calls all circuits on and on. */
  async begin(): Promise<void> {
    await this.#ask({ op: 'begin' });
  }

  async end(): Promise<void> {
    await this.#ask({ op: 'end' });
  }

  /** How long each call since this was last asked took to be let through or refused, in milliseconds. */
  async admissions(): Promise<readonly number[]> {
    return (await this.#ask({ op: 'admissions' })) as number[];
  }

  async look(): Promise<ReplicaCounts> {
    return (await this.#ask({ op: 'look' })) as ReplicaCounts;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'exit');
    await this.#ask({ op: 'close' });
    await closed;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const closed = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await closed;
  }

  #ask(asked: Asked): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ ...asked, id }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }
}
