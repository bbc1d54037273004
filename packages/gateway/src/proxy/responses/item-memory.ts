import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf } from '../json/json-fields.ts';

/**
 * The items of the last answers, by owner and id: the id alone opens nothing to other clients. Requests bring their whole conversation, but SDKs that believe it to be
 * stored name what the model said by its id alone; the AI SDK does so by default. What is forgotten, because
 * newer items took its place or the gateway was started again, is refused in words.
 */
export class ItemMemory {
  /**
   * As JSON, in the order of use, the least recent first. An item as it was read takes several times what its text
   * does, and its strings keep the answers they were cut from.
   */
  readonly #items = new Map<string, string>();
  readonly #most: number;
  #size = 0;

  /** `most` characters of JSON are kept at most, less for each item what it takes to find it. */
  constructor(most: number = MOST_CHARACTERS) {
    this.#most = most;
  }

  remember(owner: string, items: readonly JsonValue[]): void {
    for (const item of items) {
      if (!isObject(item)) continue;
      const id = textOf(item['id']);
      if (id !== '') this.#put(keyOf(owner, id), JSON.stringify(item));
    }
  }

  /**
   * The items of a request, those it only names in full where their owner has them. The same list where it names
   * none.
   */
  resolve(owner: () => string, items: readonly JsonValue[]): readonly JsonValue[] {
    if (!items.some((item) => isObject(item) && isReference(item))) return items;
    const own = owner();
    return items.map((item) =>
      isObject(item) && isReference(item) ? this.#find(own, item) : item,
    );
  }

  #find(owner: string, reference: JsonObject): JsonObject {
    const key = keyOf(owner, textOf(reference['id']));
    const known = this.#items.get(key);
    if (known === undefined) return reference;
    this.#put(key, known);
    return JSON.parse(known) as JsonObject;
  }

  #put(key: string, json: string): void {
    this.#forget(key);
    this.#items.set(key, json);
    this.#size += sizeOf(json);
    for (const oldest of this.#items.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const json = this.#items.get(key);
    if (json === undefined) return;
    this.#items.delete(key);
    this.#size -= sizeOf(json);
  }
}

/** Owners are hashes of one length, so no two keys are equal. */
const keyOf = (owner: string, id: string): string => owner + id;

/** Its place in the map, its owner and its id, about. */
export const BYTES_OF_AN_ENTRY = 240;

const sizeOf = (json: string): number => json.length + BYTES_OF_AN_ENTRY;

const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Whether an item stands for one that was told earlier; the type may be left out. */
export function isReference({ type, role, id }: JsonObject): boolean {
  const isBare = (type === undefined || type === null) && role === undefined;
  return type === 'item_reference' || (isBare && typeof id === 'string');
}
