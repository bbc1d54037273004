import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { openOwnFolder } from '../agents/hook/private-folder.ts';
import type { Logger } from '../log/logger.ts';
import { Redactor } from '../redact/redactor.ts';
import { redactTrace } from './redact-trace.ts';
import type { TraceRecord } from './trace-record.ts';

export interface TraceWriterOptions {
  /** Made if it is not there, for its owner only. A link, and one of another user, is not written to. */
  readonly directory: string;
  readonly log: Logger;
  /** Default: one that knows the shapes and names of secrets only. */
  readonly redactor?: Redactor;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Traces that wait for a slow disk; more are not written. */
const MAX_WAITING = 100;

/** Writes one JSON file per turn, without secrets. What cannot be written is logged, and costs nobody an answer. */
export class TraceWriter {
  readonly #directory: string;
  readonly #log: Logger;
  readonly #redactor: Redactor;
  readonly #clock: Clock;
  readonly #waiting = new Set<Promise<void>>();
  #count = 0;
  #hasFailed = false;

  constructor(options: TraceWriterOptions) {
    this.#directory = options.directory;
    this.#log = options.log;
    this.#redactor = options.redactor ?? new Redactor();
    this.#clock = options.clock ?? systemClock;
  }

  /** Logs at the start that nothing can be written, where that is so. */
  check(): void {
    try {
      openOwnFolder(this.#directory);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Never rejects, and need not be waited for. */
  write(record: TraceRecord): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      this.#fail(new Error(`${MAX_WAITING} traces already wait to be written`));
      return Promise.resolve();
    }
    const written = this.#write(record)
      .then(
        () => void (this.#hasFailed = false),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#waiting.delete(written));
    this.#waiting.add(written);
    return written;
  }

  /** Resolves when all that was given is written. */
  async flush(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  async #write(record: TraceRecord): Promise<void> {
    const time = new Date(this.#clock.wallTime()).toISOString();
    const text = JSON.stringify(
      { time, ...(await redactTrace(record, this.#redactor)) },
      undefined,
      2,
    );
    openOwnFolder(this.#directory);
    const path = join(this.#directory, this.#nameFor(record.id, time));
    // `wx`: a link that somebody put there is not written through.
    await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
  }

  /** In the order of time. The number keeps two requests apart that a client gave one id. */
  #nameFor(id: string, time: string): string {
    const stamp = time.replaceAll(':', '-').replace('.', '-');
    const number = String(++this.#count).padStart(6, '0');
    const safeId = id.replace(/[^\w-]/g, '_').slice(0, 64);
    return `${stamp}-${number}-${safeId}.json`;
  }

  /** Said once, until it works again: a full disk must not fill the log too. */
  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.warn({ error, directory: this.#directory }, 'traces cannot be written');
  }
}
