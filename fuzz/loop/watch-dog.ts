import { Worker } from 'node:worker_threads';
import type { FuzzInput } from './fuzz-input.ts';

const MOST_CHARACTERS = 131_072;

/**
 * Ends this process when one input takes too long, and leaves that input in a file: whoever started us finds it
 * there.
 */
export class WatchDog {
  readonly #state: Int32Array;
  readonly #characters: Uint16Array;
  readonly #worker: Worker;

  /** One execution may take `mostCpuMs` of the processor. */
  constructor(file: string, mostCpuMs: number) {
    const shared = new SharedArrayBuffer(16 + 2 * MOST_CHARACTERS);
    this.#state = new Int32Array(shared, 0, 4);
    this.#characters = new Uint16Array(shared, 16);
    this.#worker = new Worker(new URL('./watch-dog.mjs', import.meta.url), {
      workerData: { shared, file, mostCpuMs },
      execArgv: [],
    });
    this.#worker.unref();
  }

  /** This input is run now. */
  begin({ text, choice }: FuzzInput): void {
    const length = Math.min(text.length, MOST_CHARACTERS);
    for (let at = 0; at < length; at++) this.#characters[at] = text.charCodeAt(at);
    this.#state[1] = length;
    this.#state[2] = choice;
    this.#state[3] = 1;
    Atomics.add(this.#state, 0, 1);
  }

  /** Nothing runs now. */
  rest(): void {
    this.#state[3] = 0;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
