import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import type { HookData } from '@holdfast/core/hooks';
import { RequestError } from '../../http/request-error.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import { ExpiringMap } from '../expiring-map.ts';

/** How many conversations are remembered, and how long after their last call. */
export const HOOK_STORE_LIMITS: { readonly max: number; readonly keepMs: number } = Object.freeze({
  max: 1_000,
  keepMs: 3_600_000,
});

/** What the extensions keep for a conversation, and what of it the client is told. */
export interface ConversationData {
  readonly data: HookData;
  /** Whether nothing of it stays here: the client sends it with every call. */
  readonly isCarried: boolean;
  /** The fields to answer with: `data` where the client carries it. */
  readonly told: () => JsonObject;
}

/** Keeps the data of conversations, for clients that do not carry it themselves. */
export class HookStore {
  readonly #conversations: ExpiringMap<HookData>;

  constructor(clock: Clock) {
    this.#conversations = new ExpiringMap({ ...HOOK_STORE_LIMITS, clock });
  }

  /** Of the conversation that a body names, or whose data it brings. The body fits its schema. */
  of(body: JsonObject): ConversationData {
    const { conversation_id: id, data } = body;
    if (typeof id === 'string' && data === undefined) return this.#kept(id);
    if (id === undefined && isObject(data)) return carried(data);
    const got = id === undefined ? 'neither' : 'both';
    throw new RequestError(
      400,
      'invalid-request',
      `conversation_id, data: expected one of the two, got ${got}`,
    );
  }

  close(): void {
    this.#conversations.clear();
  }

  #kept(id: string): ConversationData {
    const data = this.#conversations.get(id) ?? new Map<string, unknown>();
    // Set anew, so that its time starts anew.
    this.#conversations.set(id, data);
    return { data, isCarried: false, told: () => ({}) };
  }
}

function carried(given: JsonObject): ConversationData {
  const data = new Map<string, unknown>(Object.entries(given));
  return {
    data,
    isCarried: true,
    told: () => ({ data: Object.fromEntries(data) as Record<string, JsonValue> }),
  };
}
