import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';

/** What tool servers did, as they wrote it down themselves. */
export interface LedgerEntry {
  readonly server: string;
  readonly pid: number;
  readonly event: 'started' | 'ran';
  readonly tool?: string;
  readonly id?: string;
}

const CHUNK_BYTES = 1024 * 1024;

/** The file into which all tool servers write what they do, read as it grows. */
export class ToolLedger {
  readonly file: string;
  #offset = 0;
  #rest = '';
  /** The newest process of each server. */
  readonly #newest = new Map<string, number>();
  readonly #pids = new Set<number>();

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, '');
  }

  /** What was written since the last time. */
  read(): readonly LedgerEntry[] {
    const lines = (this.#rest + this.#readOn()).split('\n');
    this.#rest = lines.pop() ?? '';
    const entries = lines.map((line) => JSON.parse(line) as LedgerEntry);
    for (const { event, server, pid } of entries) {
      if (event !== 'started') continue;
      this.#newest.set(server, pid);
      this.#pids.add(pid);
    }
    return entries;
  }

  /** Every process that was ever started, as far as was read. */
  get pids(): readonly number[] {
    return [...this.#pids];
  }

  /** The process of a server that was started last, as far as was read. */
  pidOf(server: string): number | undefined {
    return this.#newest.get(server);
  }

  #readOn(): string {
    const file = openSync(this.file, 'r');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const parts: Buffer[] = [];
    try {
      for (;;) {
        const bytes = readSync(file, chunk, 0, chunk.length, this.#offset);
        if (bytes === 0) break;
        this.#offset += bytes;
        parts.push(Buffer.from(chunk.subarray(0, bytes)));
      }
    } finally {
      closeSync(file);
    }
    return Buffer.concat(parts).toString();
  }
}
