import { safeLine } from '../../cli/safe-text.ts';
import type { LineQuota } from './line-quota.ts';

const LINE_FEED = 0x0a;
const TAIL_BYTES = 64 * 1024;
/** Behind the message of an error come its stack and the version of whatever ran it. */
const LAST_LINES = 30;
const SAYS_WHY = /^\s{0,4}\S.{0,200}(?:error|exception|failed|cannot|not found|denied|refused)/i;
/** What is kept of a line for the log. */
const LINE_BYTES = 2000;

/**
 * What a child writes to its standard error: the end of it is kept to say why the child ended, and its lines
 * go to the log. However much there is, it costs 64 KB.
 */
export class StderrTail {
  readonly #quota: LineQuota;
  readonly #onLine: (line: string) => void;
  /** A ring: the oldest byte is at `#total % TAIL_BYTES` once it is full. Most children never need one. */
  #ring: Buffer | undefined;
  #total = 0;
  #line: Buffer[] = [];
  #lineBytes = 0;

  constructor(quota: LineQuota, onLine: (line: string) => void) {
    this.#quota = quota;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#keep(chunk);
    let from = 0;
    let end = chunk.indexOf(LINE_FEED);
    while (end !== -1) {
      this.#extendLine(chunk.subarray(from, end));
      from = end + 1;
      if (!this.#endLine()) {
        // In a flood the rest is only counted, which is a hundred times cheaper.
        const next = chunk.lastIndexOf(LINE_FEED) + 1;
        this.#quota.drop(countLineFeeds(chunk, from, next));
        from = next;
        break;
      }
      end = chunk.indexOf(LINE_FEED, from);
    }
    this.#extendLine(chunk.subarray(from));
  }

  /** There is nothing more to come. */
  end(): void {
    if (this.#lineBytes > 0) this.#endLine();
    this.#quota.tell();
  }

  /** The last 64 KB, as they came. */
  text(): string {
    const ring = this.#ring;
    if (ring === undefined) return '';
    if (this.#total <= TAIL_BYTES) return ring.toString('utf8', 0, this.#total);
    const at = this.#total % TAIL_BYTES;
    return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]).toString('utf8');
  }

  /** The last line that may say what went wrong, safe to show, or ''. */
  lastLine(): string {
    const lines = this.text().trimEnd().split('\n').slice(-LAST_LINES);
    const line = lines.findLast((each) => SAYS_WHY.test(each)) ?? lines.at(-1) ?? '';
    return safeLine(line.trim().slice(0, LINE_BYTES));
  }

  #keep(chunk: Buffer): void {
    const ring = (this.#ring ??= Buffer.allocUnsafe(TAIL_BYTES));
    const kept = chunk.subarray(-TAIL_BYTES);
    const at = (this.#total + chunk.length - kept.length) % TAIL_BYTES;
    const fits = Math.min(kept.length, TAIL_BYTES - at);
    kept.copy(ring, at, 0, fits);
    kept.copy(ring, 0, fits);
    this.#total += chunk.length;
  }

  #extendLine(part: Buffer): void {
    const room = LINE_BYTES - this.#lineBytes;
    if (part.length === 0 || room === 0) return;
    // A copy: a part of a chunk would keep the whole of it in memory.
    this.#line.push(Buffer.from(part.subarray(0, room)));
    this.#lineBytes += Math.min(part.length, room);
  }

  /** False where the log takes no more lines now. */
  #endLine(): boolean {
    const line = this.#line;
    this.#line = [];
    this.#lineBytes = 0;
    if (!this.#quota.admit()) return false;
    const text = Buffer.concat(line).toString('utf8').trimEnd();
    if (text !== '') this.#onLine(safeLine(text));
    return true;
  }
}

function countLineFeeds(chunk: Buffer, from: number, until: number): number {
  let count = 0;
  for (let at = from; at < until; at++) if (chunk[at] === LINE_FEED) count += 1;
  return count;
}
