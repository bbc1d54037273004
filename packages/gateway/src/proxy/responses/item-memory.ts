import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf } from '../json/json-fields.ts';

/**
 * The items of the last answers, by id. Requests bring their whole conversation, but SDKs that believe it to be
 * stored name what the model said by its id alone; the AI SDK does so by default. What is forgotten, because
 * newer items took its place or the gateway was started again, is refused in words.
 */
export class ItemMemory {
  /** In the order of use, the least recent first. */
  readonly #items = new Map<string, { readonly item: JsonObject; readonly size: number }>();
  readonly #most: number;
  #size = 0;

  /** `most` characters of JSON are kept at most. */
  constructor(most: number = MOST_CHARACTERS) {
    this.#most = most;
  }

  remember(items: readonly JsonValue[]): void {
    for (const item of items) {
      if (!isObject(item)) continue;
      const id = textOf(item['id']);
      if (id !== '') this.#put(id, item, JSON.stringify(item).length);
    }
  }

  /** The items of a request, those it only names in full where they are known. The same list where it names none. */
  resolve(items: readonly JsonValue[]): readonly JsonValue[] {
    if (!items.some((item) => isObject(item) && isReference(item))) return items;
    return items.map((item) => (isObject(item) && isReference(item) ? this.#find(item) : item));
  }

  #find(reference: JsonObject): JsonObject {
    const id = textOf(reference['id']);
    const known = this.#items.get(id);
    if (known === undefined) return reference;
    this.#put(id, known.item, known.size);
    return known.item;
  }

  #put(id: string, item: JsonObject, size: number): void {
    this.#size += size - (this.#items.get(id)?.size ?? 0);
    this.#items.delete(id);
    this.#items.set(id, { item, size });
    for (const [oldest, { size: freed }] of this.#items) {
      if (this.#size <= this.#most) break;
      this.#items.delete(oldest);
      this.#size -= freed;
    }
  }
}

const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Whether an item stands for one that was told earlier; the type may be left out. */
export function isReference({ type, role, id }: JsonObject): boolean {
  const isBare = (type === undefined || type === null) && role === undefined;
  return type === 'item_reference' || (isBare && typeof id === 'string');
}
