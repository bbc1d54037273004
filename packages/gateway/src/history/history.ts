import { randomBytes } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import type { Logger } from '../log/logger.ts';
import type { ObservedEvent } from '../observe/gateway-event.ts';
import { DEFAULT_HISTORY_BOUNDS, segmentBounds } from './history-bounds.ts';
import type { HistoryBounds } from './history-bounds.ts';
import { HISTORY_KINDS } from './history-kind.ts';
import type { HistoryKind } from './history-kind.ts';
import type { HistoryPlace } from './history-place.ts';
import type { HistoryRecord } from './history-record.ts';
import { listSegments } from './list-segments.ts';
import type { Segment } from './list-segments.ts';
import { openHistoryFolder } from './open-history-folder.ts';
import { querySegments } from './query-segments.ts';
import { makeSegmentFile } from './segment-file.ts';
import type { OpenSegmentFile } from './segment-file.ts';
import { writeSegmentLine } from './segment-line.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { TimedLine } from './segment-writer.ts';
import { SteadyTime } from './steady-time.ts';
import { sweepSegments } from './sweep-segments.ts';
import { toHistoryEntry } from './to-history-entry.ts';

export interface HistoryOptions {
  /** Made if it is not there, for its owner only. Several gateways may have the same. */
  readonly folder: string;
  /** What the gateway is called, in each of its records. Default: nothing is said. */
  readonly gateway?: () => string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Default: `DEFAULT_HISTORY_BOUNDS`. */
  readonly bounds?: HistoryBounds;
  /** Default: makes a file on disk. */
  readonly open?: OpenSegmentFile;
}

export interface HistoryQuery {
  readonly kind: HistoryKind;
  /** Only what is older than this. Default: all. */
  readonly before?: HistoryPlace;
  readonly limit: number;
}

/** A quarter of the time that a killed process may lose, as the process may be busy when it is due. */
const FLUSH_AFTER_MS = 25;
/** What waits for a slow disk; more is lost. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Records grow too old while nothing is written, too. */
const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** How long a disk that hangs may keep a gateway from ending. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Keeps what is known of requests, failures and transitions on disk, without any prompt, argument or result. Whatever
 * goes wrong with the disk is logged, and costs nobody an answer.
 */
export class History {
  readonly #folder: string;
  readonly #gateway: (() => string) | undefined;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #bounds: HistoryBounds;
  readonly #writers: ReadonlyMap<HistoryKind, SegmentWriter>;
  #waiting = new Map<HistoryKind, TimedLine[]>();
  #waitingBytes = 0;
  #records = 0;
  #lost = 0;
  #problem: string | undefined;
  #isClosed = false;
  /** What segments are too old by. Known once there are some to compare with the clock. */
  #time: SteadyTime | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelSweep: (() => void) | undefined;
  #flushing: Promise<void> | undefined;

  constructor(options: HistoryOptions) {
    const { folder, log, clock, bounds = DEFAULT_HISTORY_BOUNDS, open = makeSegmentFile } = options;
    this.#folder = folder;
    this.#gateway = options.gateway;
    this.#log = log;
    this.#clock = clock;
    this.#bounds = bounds;
    const writer = randomBytes(6).toString('hex');
    const prepare = (): Promise<void> => this.#prepare();
    const shared = { folder, writer, open, prepare, ...segmentBounds(bounds) };
    this.#writers = new Map(
      HISTORY_KINDS.map((kind) => [kind, new SegmentWriter({ ...shared, kind })]),
    );
    this.#sweepLater(0);
  }

  /** Why nothing can be written at the moment. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Takes note of an event, if it is one that is kept. Never throws. */
  record(observed: ObservedEvent): void {
    const entry = toHistoryEntry(observed);
    if (entry !== undefined) this.keep(entry.kind, observed.at, entry.about);
  }

  /** Keeps a record. Never throws. */
  keep(kind: HistoryKind, at: number, known: JsonObject): void {
    if (this.#isClosed) return;
    const about = this.#gateway === undefined ? known : { gateway: this.#gateway(), ...known };
    const text = writeSegmentLine({ at, number: ++this.#records, about });
    const bytes = Buffer.byteLength(text);
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.#lost++;
      this.#fails(new Error(`${MOST_WAITING_BYTES} bytes already wait to be written`));
      return;
    }
    this.#waitingBytes += bytes;
    const lines = this.#waiting.get(kind);
    if (lines === undefined) this.#waiting.set(kind, [{ at, text, bytes }]);
    else lines.push({ at, text, bytes });
    this.#cancelFlush ??= this.#clock.setTimer(() => void this.flush(), FLUSH_AFTER_MS, true);
  }

  /** Newest first, of all gateways that wrote to this folder. Rejects where the folder cannot be read. */
  async query({ kind, before, limit }: HistoryQuery): Promise<readonly HistoryRecord[]> {
    await this.flush();
    const segments = await listSegments(this.#folder);
    return querySegments(
      segments.filter((segment) => segment.kind === kind),
      { before, notBefore: this.#clock.wallTime() - this.#bounds.maxAgeMs, limit },
    );
  }

  /** Resolves when all that was recorded is written, or lost. Never rejects. */
  flush(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#flushing ??= this.#writeWaiting().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Resolves when all is written, or when a disk has had enough time for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSweep?.();
    let cancel = (): void => undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      cancel = this.#clock.setTimer(resolve, CLOSE_WITHIN_MS, true);
    });
    await Promise.race([this.#end(), timeIsUp]);
    cancel();
  }

  async #end(): Promise<void> {
    await this.flush();
    for (const writer of this.#writers.values()) await writer.close();
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batches = this.#waiting;
      this.#waiting = new Map();
      this.#waitingBytes = 0;
      for (const [kind, lines] of batches) {
        try {
          await this.#writers.get(kind)?.append(lines);
          this.#works();
        } catch (error) {
          this.#lost += lines.length;
          this.#fails(error);
        }
      }
    }
  }

  async #prepare(): Promise<void> {
    openHistoryFolder(this.#folder);
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    // Room for each kind to fill the segment it writes to.
    const room = segmentBounds(this.#bounds).segmentBytes * HISTORY_KINDS.length;
    const bounds = { ...this.#bounds, maxBytes: this.#bounds.maxBytes - room };
    const inUse = new Set([...this.#writers.values()].map(({ path }) => path));
    const isInUse = ({ path }: Segment): boolean => inUse.has(path);
    const segments = await listSegments(this.#folder);
    if (segments.length === 0) return;
    const newest = segments.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
    this.#time ??= new SteadyTime(this.#clock, newest);
    await sweepSegments(segments, bounds, this.#time.now(), isInUse);
  }

  #sweepLater(delayMs: number): void {
    this.#cancelSweep = this.#clock.setTimer(
      () => {
        this.#sweepLater(SWEEP_EVERY_MS);
        this.#sweep().catch((error: unknown) => this.#fails(error));
      },
      delayMs,
      true,
    );
  }

  #works(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#log.info({ folder: this.#folder, lost: this.#lost }, 'history is written again');
    this.#lost = 0;
  }

  /** Said once, until it works again: a full disk must not fill the log too. */
  #fails(error: unknown): void {
    const isNew = this.#problem === undefined;
    this.#problem = error instanceof Error ? error.message : String(error);
    if (isNew) this.#log.warn({ error, folder: this.#folder }, 'history cannot be written');
  }
}
