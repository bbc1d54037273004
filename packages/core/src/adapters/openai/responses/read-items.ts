import type { JsonObject } from '../../../types.ts';
import { countOf, textOf } from '../../wire/json-fields.ts';

/** An item of the server's, as far as it was read. */
export class ReadItem {
  readonly item: JsonObject;
  /** Its place among what is told, where it is passed on as it comes; -1 for a message and a call. */
  readonly index: number;
  /** The arguments of a call. */
  json = '';
  isEnded = false;
  /** Which of the parts of a message is being read. */
  partIndex = -1;
  /** How many characters of that part were read. */
  told = 0;

  constructor(item: JsonObject, index: number) {
    this.item = item;
    this.index = index;
  }

  beginPart(index: number): void {
    if (this.partIndex === index) return;
    this.partIndex = index;
    this.told = 0;
  }

  toldOf(index: number): number {
    return this.partIndex === index ? this.told : 0;
  }

  /** Whether a part is over because the next was begun. */
  isPast(index: number): boolean {
    return index < this.partIndex;
  }
}

/** The items that a server has begun, found again by their place, their id, or as the last that was begun. */
export class ReadItems {
  readonly #all: ReadItem[] = [];
  readonly #byPlace = new Map<number, ReadItem>();
  readonly #byId = new Map<string, ReadItem>();

  get latest(): ReadItem | undefined {
    return this.#all.at(-1);
  }

  add(event: JsonObject, item: JsonObject, index: number): void {
    const read = new ReadItem(item, index);
    const place = countOf(event['output_index']);
    const id = textOf(item['id']);
    this.#all.push(read);
    if (place !== undefined) this.#byPlace.set(place, read);
    if (id !== '') this.#byId.set(id, read);
  }

  /** The item that an event is about. */
  find(event: JsonObject, item: JsonObject): ReadItem | undefined {
    const id = textOf(item['id']) || textOf(event['item_id']);
    const place = countOf(event['output_index']);
    const byId = id === '' ? undefined : this.#byId.get(id);
    return byId ?? (place === undefined ? undefined : this.#byPlace.get(place));
  }

  /** Whether an item of the whole response was told before. */
  knows(item: JsonObject, place: number): boolean {
    const id = textOf(item['id']);
    const call = textOf(item['call_id']);
    if (id === '' && call === '') return this.#byPlace.has(place);
    return this.#all.some(
      ({ item: own }) =>
        (id !== '' && own['id'] === id) || (call !== '' && own['call_id'] === call),
    );
  }

  unended(): readonly ReadItem[] {
    return this.#all.filter(({ isEnded }) => !isEnded);
  }
}
