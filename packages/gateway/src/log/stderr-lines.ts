import { write, writeSync } from 'node:fs';

export interface StderrLinesOptions {
  /** Writes each line before `write` returns, in order with what else a terminal shows. Default: false. */
  readonly isSync?: boolean;
  /** Called with the number of lines that were dropped. */
  readonly onDrop: (lines: number) => void;
  /** Called when everything that waited is written. */
  readonly onWritten: () => void;
}

const STDERR = 2;
const NEWLINE = 10;
/** Lines that wait for a reader; what comes on top of them is dropped. */
const MAX_WAITING_BYTES = 4_194_304;
/** A write that fails costs the lines of one write. */
const MAX_WRITE_BYTES = 16_384;
/** The next try after a full pipe. */
const RETRY_MS = 100;
/** A process that exits waits half a second for a reader, and in all for a slow one. */
const EXIT_TRIES = 50;
const EXIT_RETRY_MS = 10;
const EXIT_MS = 3000;

/**
 * Writes lines to standard error, and neither fails nor blocks: what cannot be written is dropped and counted, and
 * the next line is tried again.
 */
export class StderrLines {
  readonly #options: StderrLinesOptions;
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #current: Buffer | undefined;
  #isBusy = false;
  #isInFlight = false;
  #isFailing = false;
  /** Whether the last byte that was written does not end a line. */
  #isTorn = false;

  constructor(options: StderrLinesOptions) {
    this.#options = options;
    // Opening the stream makes a pipe non-blocking. The process could not end during a write that blocks.
    if (!process.stderr.writable) this.#isFailing = true;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.#options.onDrop(1);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#options.isSync === true) {
      this.#writeAll(1);
      this.#reportWritten();
    } else if (!this.#isBusy) {
      this.#isBusy = true;
      process.on('exit', this.#atExit);
      this.#writeSome();
    }
  }

  #writeSome(): void {
    this.#current ??= this.#take();
    if (this.#current === undefined) {
      this.#isBusy = false;
      process.off('exit', this.#atExit);
      this.#reportWritten();
      return;
    }
    this.#isInFlight = true;
    write(STDERR, this.#current, (error, written) => {
      this.#isInFlight = false;
      if (isFull(error)) {
        setTimeout(() => this.#writeSome(), RETRY_MS).unref();
        return;
      }
      if (error === null) this.#advance(written);
      else this.#drop();
      this.#writeSome();
    });
  }

  #writeAll(tries: number): void {
    const end = performance.now() + EXIT_MS;
    let left = tries;
    while ((this.#current ??= this.#take()) !== undefined) {
      try {
        this.#advance(writeSync(STDERR, this.#current));
        left = tries;
      } catch (error) {
        if (isFull(error) && --left > 0 && performance.now() < end) pause(EXIT_RETRY_MS);
        else this.#drop();
      }
    }
  }

  readonly #atExit = (): void => {
    // A write in flight ends by itself.
    if (this.#isInFlight) this.#current = undefined;
    this.#writeAll(EXIT_TRIES);
    this.#reportWritten();
    this.#writeAll(1);
  };

  #take(): Buffer | undefined {
    if (this.#waiting.length === 0) return undefined;
    let bytes = 0;
    const end = this.#waiting.findIndex((line) => (bytes += line.length) > MAX_WRITE_BYTES);
    const lines = this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
    if (this.#isTorn) lines.unshift(Buffer.of(NEWLINE));
    const taken = Buffer.concat(lines);
    this.#waitingBytes -= taken.length - (this.#isTorn ? 1 : 0);
    return taken;
  }

  #advance(written: number): void {
    const current = this.#current ?? Buffer.alloc(0);
    this.#isFailing = false;
    this.#isTorn = current[written - 1] !== NEWLINE;
    this.#current = written < current.length ? current.subarray(written) : undefined;
  }

  #drop(): void {
    const lines = this.#current?.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    this.#current = undefined;
    this.#isFailing = true;
    this.#options.onDrop(lines ?? 0);
  }

  #reportWritten(): void {
    if (!this.#isFailing) this.#options.onWritten();
  }
}

/** Whether a pipe takes nothing more for now. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
