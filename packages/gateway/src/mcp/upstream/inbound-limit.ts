import type { Clock } from '@holdfast/core';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { objectOf } from '../../proxy/json/json-fields.ts';

/** How many messages a server may send without being asked, over each of its connections. */
export const INBOUND_LIMIT: Readonly<Record<'perSecond' | 'burst' | 'kept', number>> =
  Object.freeze({
    perSecond: 100,
    burst: 200,
    /** Over the limit the last notification of each kind is kept, up to so many. */
    kept: 100,
  });

/** The longest wait for the next kept notification. */
const TICK_MS = 10;
/** What a notification is about, where several of one method are not of one kind. */
const SUBJECTS = ['progressToken', 'uri', 'requestId', 'elicitationId', 'taskId'] as const;

export interface InboundLimitOptions {
  readonly clock: Clock;
  readonly deliver: (message: JSONRPCMessage) => void;
  /** A message was dropped, or replaced by a later one of its kind. */
  readonly onDropped: () => void;
}

/**
 * Bounds what a server sends without being asked, so that one server cannot take the time of all others. Over the
 * limit the last notification of each kind is delivered later, and everything else is dropped.
 */
export class InboundLimit {
  readonly #options: InboundLimitOptions;
  readonly #kept = new Map<string, JSONRPCMessage>();
  #left = INBOUND_LIMIT.burst;
  #at: number;
  #cancelTimer: (() => void) | undefined;

  constructor(options: InboundLimitOptions) {
    this.#options = options;
    this.#at = options.clock.now();
  }

  /** Returns whether the message was within the limit, and delivers it then. */
  take(message: JSONRPCMessage): boolean {
    if (this.#kept.size === 0 && this.#spend()) {
      this.#options.deliver(message);
      return true;
    }
    const kind = kindOf(message);
    const isLater = kind !== undefined && this.#kept.has(kind);
    const isKept = isLater || (kind !== undefined && this.#kept.size < INBOUND_LIMIT.kept);
    if (isKept) this.#kept.set(kind, message);
    if (!isKept || isLater) this.#options.onDropped();
    if (this.#kept.size > 0) this.#deliverLater();
    return false;
  }

  /** The connection is over: what was kept is dropped. */
  close(): void {
    this.#cancelTimer?.();
    this.#kept.clear();
  }

  #deliverKept(): void {
    this.#cancelTimer = undefined;
    for (const [kind, message] of this.#kept) {
      if (!this.#spend()) break;
      this.#kept.delete(kind);
      this.#options.deliver(message);
    }
    if (this.#kept.size > 0) this.#deliverLater();
  }

  #deliverLater(): void {
    const { clock } = this.#options;
    this.#cancelTimer ??= clock.setTimer(() => this.#deliverKept(), TICK_MS, true);
  }

  #spend(): boolean {
    const { perSecond, burst } = INBOUND_LIMIT;
    const now = this.#options.clock.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** Notifications of one kind replace each other. Undefined for requests and responses. */
function kindOf(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || 'id' in message) return undefined;
  const params = objectOf(message.params);
  const subject = SUBJECTS.map((key) => params[key]).find((value) => value !== undefined);
  return `${message.method} ${typeof subject === 'object' ? '' : String(subject)}`;
}
