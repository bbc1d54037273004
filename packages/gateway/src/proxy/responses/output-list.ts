import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ResponseEvent } from './response-event.ts';

/** The output of a response as far as it was told: indexes from 0 without gaps, and ids that are used once. */
export class OutputList {
  readonly emit: (event: ResponseEvent) => void;
  readonly #nextId: (prefix: string) => string;
  readonly #ids = new Set<string>();
  readonly #ended = new Map<number, JsonObject>();
  #nextIndex = 0;

  constructor(emit: (event: ResponseEvent) => void, nextId: (prefix: string) => string) {
    this.emit = emit;
    this.#nextId = nextId;
  }

  /** The index that the next item gets. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /** How many items were begun and not ended. */
  get openCount(): number {
    return this.#nextIndex - this.#ended.size;
  }

  takeIndex(): number {
    return this.#nextIndex++;
  }

  /** The id that an item has already, if no other has it, or a new one: clients refuse an id that is there twice. */
  takeId(wanted: JsonValue | undefined, prefix: string): string {
    const id = this.isFree(wanted) ? wanted : this.#nextId(prefix);
    this.#ids.add(id);
    return id;
  }

  /** Whether it is an id, and no item has it. */
  isFree(id: JsonValue | undefined): id is string {
    return typeof id === 'string' && id !== '' && !this.#ids.has(id);
  }

  /** Takes an item that was ended. */
  add(index: number, item: JsonObject): void {
    this.#ended.set(index, item);
  }

  /** The items that were ended, in order. */
  items(): JsonObject[] {
    return [...this.#ended].sort(([one], [other]) => one - other).map(([, item]) => item);
  }
}
