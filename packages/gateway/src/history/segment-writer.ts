import { join } from 'node:path';
import type { HistoryKind } from './history-kind.ts';
import type { OpenSegmentFile, SegmentFile } from './segment-file.ts';
import { formatSegmentName } from './segment-name.ts';

export interface SegmentWriterOptions {
  readonly folder: string;
  readonly kind: HistoryKind;
  /** In the names of its segments, so that nobody else writes to them. */
  readonly writer: string;
  readonly segmentBytes: number;
  readonly segmentMs: number;
  readonly open: OpenSegmentFile;
  /** Called before each new segment. What it throws, `append` throws. */
  readonly prepare: () => Promise<void>;
}

/** A line of a segment, with its line feed. */
export interface TimedLine {
  readonly at: number;
  readonly text: string;
  readonly bytes: number;
}

interface Current {
  readonly path: string;
  readonly file: SegmentFile;
  readonly firstAt: number;
  lastAt: number;
  bytes: number;
  /** A line may have been written in part: the next one must not stand behind it. */
  isTorn: boolean;
}

/** Appends records of one kind to segments of its own, of which it begins a new one when the last is full. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #current: Current | undefined;
  #segments = 0;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
  }

  /** That of the segment which is written to. */
  get path(): string | undefined {
    return this.#current?.path;
  }

  /** Rejects where not all lines could be written; those that could stay. Must not be called while it runs. */
  async append(lines: readonly TimedLine[]): Promise<void> {
    await this.#look();
    let waiting = '';
    for (const { at, text, bytes } of lines) {
      if (this.#current === undefined || this.#isFull(this.#current, at, bytes)) {
        await this.#write(waiting);
        waiting = '';
        await this.close();
        this.#current = await this.#begin(at);
      }
      waiting += text;
      this.#current.lastAt = at;
      this.#current.bytes += bytes;
    }
    await this.#write(waiting);
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    // All that was to be written is written, or its loss was told already.
    await current?.file.close().catch(() => undefined);
  }

  /** Others may have removed it, to keep the bounds or because a person did not want it. */
  async #look(): Promise<void> {
    if (this.#current === undefined) return;
    const bytes = await this.#current.file.bytes().catch(() => undefined);
    if (bytes === undefined) await this.close();
    else this.#current.bytes = bytes;
  }

  /** A clock that was set back begins a new one, too: records in a segment are in the order of time. */
  #isFull({ firstAt, lastAt, bytes }: Current, at: number, more: number): boolean {
    const { segmentBytes, segmentMs } = this.#options;
    return bytes + more > segmentBytes || at < lastAt || at - firstAt > segmentMs;
  }

  async #begin(firstAt: number): Promise<Current> {
    const { folder, kind, writer, open, prepare } = this.#options;
    await prepare();
    const number = ++this.#segments;
    const path = join(folder, formatSegmentName({ kind, firstAt, writer, number }));
    return { path, file: await open(path), firstAt, lastAt: firstAt, bytes: 0, isTorn: false };
  }

  async #write(text: string): Promise<void> {
    const current = this.#current;
    if (current === undefined || text === '') return;
    const { isTorn } = current;
    current.isTorn = true;
    await current.file.append(isTorn ? `\n${text}` : text);
    current.isTorn = false;
  }
}
