import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventsInOrder } from '../invariants/events-in-order.ts';
import type { Violations } from '../invariants/violations.ts';
import type { Windows } from '../invariants/windows.ts';
import type { Door } from './door.ts';

export interface EventReaderOptions {
  readonly name: string;
  readonly door: Door;
  readonly violations: Violations;
  /** When the gateway was short of file descriptors, and may break connections. */
  readonly cramped: Windows;
  /** It reads for a second and then not for so long, over and over; 0 for one that always reads. */
  readonly sleepsMs: number;
}

const READS_MS = 1000;
const RETRY_MS = 200;

/** Follows the events of the gateway as a dashboard does, and comes back where its stream broke. */
export class EventReader {
  readonly order: EventsInOrder;
  readonly #options: EventReaderOptions;
  readonly #done: Promise<void>;
  #stream: IncomingMessage | undefined;
  #isOver = false;

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.order = new EventsInOrder(options.name, options.violations);
    this.#done = this.#run();
  }

  /** From now on it is no wonder that its stream ends. */
  expectEnd(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#stream?.destroy();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { name, door, violations, cramped } = this.#options;
    for (;;) {
      const from = performance.now();
      const last = this.order.lastSeq;
      const why = await door
        .listen('/api/v1/events', last === undefined ? {} : { 'last-event-id': String(last) })
        .then((stream) => this.#read(stream))
        .catch((error: unknown) => String(error));
      if (this.isOver) return;
      violations.check(
        'events-in-order',
        cramped.touches(from),
        () => `${name}: the stream of events ended: ${why}`,
      );
      await sleep(RETRY_MS);
    }
  }

  async #read(stream: IncomingMessage): Promise<string> {
    this.#stream = stream;
    const nap = this.#options.sleepsMs > 0 ? this.#naps(stream) : undefined;
    let rest = '';
    try {
      for await (const chunk of stream.setEncoding('utf8')) {
        const frames = (rest + (chunk as string)).split('\n\n');
        rest = frames.pop() ?? '';
        for (const frame of frames) this.#hear(frame);
      }
      return 'it was over';
    } finally {
      clearInterval(nap);
    }
  }

  /** Its socket is not read meanwhile, so that what it is told has to wait at the gateway. */
  #naps(stream: IncomingMessage): NodeJS.Timeout {
    const { sleepsMs } = this.#options;
    return setInterval(() => {
      stream.socket.pause();
      setTimeout(() => stream.socket.resume(), sleepsMs);
    }, READS_MS + sleepsMs);
  }

  #hear(frame: string): void {
    const fields = new Map(
      frame.split('\n').map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      }),
    );
    const data = fields.get('data');
    if (data === undefined) return;
    const id = fields.get('id');
    this.order.hear({
      type: fields.get('event') ?? '',
      id: id === undefined ? undefined : Number(id),
      data,
    });
  }
}
