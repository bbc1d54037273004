import type { HookData } from '../hooks/hook-data.ts';
import type { JsonObject } from '../types.ts';

/** A host that stops calls without telling must not make us keep them for ever. */
const MAX_PENDING = 50;

interface Pending {
  readonly key: string;
  readonly args: JsonObject;
}

/**
 * What running calls were made with, for hosts that say it before a call and not after. Kept here and not in
 * the data of the conversation, which may be stored: arguments may hold secrets.
 */
export class PendingArguments {
  readonly #byConversation = new WeakMap<HookData, readonly Pending[]>();

  add(data: HookData, key: string, args: JsonObject): void {
    const pending = this.#byConversation.get(data) ?? [];
    this.#byConversation.set(data, [...pending, { key, args }].slice(-MAX_PENDING));
  }

  /** The arguments of the oldest call with that key; undefined when there is none. */
  take(data: HookData, key: string): JsonObject | undefined {
    const pending = this.#byConversation.get(data) ?? [];
    const at = pending.findIndex((call) => call.key === key);
    if (at < 0) return undefined;
    this.#byConversation.set(data, pending.toSpliced(at, 1));
    return pending[at]?.args;
  }
}
