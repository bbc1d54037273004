import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf } from '../json/json-fields.ts';
import type { OutputList } from './output-list.ts';

interface OtherItem {
  readonly index: number;
  /** What its upstream calls it, and what the client knows it by. */
  readonly upstreamId: string;
  readonly id: string;
  /** The item as it was begun. */
  readonly item: JsonObject;
}

/** Items that only the upstream and the client understand, such as a search: passed on, with places of their own. */
export class OtherItems {
  readonly #list: OutputList;
  readonly #open: OtherItem[] = [];
  /** Where the upstream has them. */
  readonly #places = new Map<JsonValue, OtherItem>();

  constructor(list: OutputList) {
    this.#list = list;
  }

  begin(event: JsonObject): OtherItem | undefined {
    const { item: said, output_index: place } = event;
    if (!isObject(said)) return undefined;
    const upstreamId = textOf(said['id']);
    const id = this.#list.takeId(upstreamId, 'item_');
    const item = { ...said, id };
    const index = this.#list.takeIndex();
    const begun = this.#add({ index, upstreamId, id, item }, place);
    this.#list.emit({ type: 'response.output_item.added', output_index: index, item });
    return begun;
  }

  end(event: JsonObject): void {
    const { item } = event;
    if (!isObject(item)) return;
    const known = this.#find(event);
    // Another item in its place: nobody told of its start.
    const isOther = known === undefined || known.item['type'] !== item['type'];
    const open = isOther ? this.begin(event) : known;
    if (open !== undefined) this.#end(open, { ...item, id: open.id });
  }

  /** Passes on what happens to an item; what belongs to none is left out. */
  tell(event: JsonObject): void {
    const open = this.#find(event);
    if (open === undefined) return;
    const place = { output_index: open.index, item_id: open.id };
    this.#list.emit({ ...event, type: textOf(event['type']), ...place });
  }

  /** Ends what the upstream left open. */
  close(): void {
    for (const open of [...this.#open]) this.#end(open, open.item);
  }

  /** Takes over the start of an item that was sent on as it came. */
  followStart(item: JsonObject, index: number): void {
    const id = textOf(item['id']);
    this.#add({ index, upstreamId: id, id, item }, index);
  }

  /** Takes over another event that was sent on as it came. Returns false if it belongs to no item. */
  follow(event: JsonObject): boolean {
    const { type, output_index: place, item_id: said, item } = event;
    const open = typeof place === 'number' ? this.#places.get(place) : undefined;
    if (open === undefined || open.index !== place) return false;
    if (type !== 'response.output_item.done') return said === open.id;
    if (!isObject(item) || item['id'] !== open.id) return false;
    this.#remove(open);
    this.#list.add(open.index, item);
    return true;
  }

  #add(item: OtherItem, place: JsonValue | undefined): OtherItem {
    this.#open.push(item);
    if (typeof place === 'number') this.#places.set(place, item);
    return item;
  }

  #end(open: OtherItem, item: JsonObject): void {
    const { index } = open;
    this.#remove(open);
    this.#list.emit({ type: 'response.output_item.done', output_index: index, item });
    this.#list.add(index, item);
  }

  #remove(item: OtherItem): void {
    this.#open.splice(this.#open.indexOf(item), 1);
    for (const [place, other] of this.#places) if (other === item) this.#places.delete(place);
  }

  /** By its place, as some upstreams change the ids of their items from event to event. */
  #find({ output_index: place, item_id: id, item }: JsonObject): OtherItem | undefined {
    const placed = typeof place === 'number' ? this.#places.get(place) : undefined;
    if (placed !== undefined) return placed;
    return this.#withId(textOf(id ?? (isObject(item) ? item['id'] : undefined)));
  }

  #withId(id: string): OtherItem | undefined {
    return id === '' ? undefined : this.#open.find(({ upstreamId }) => upstreamId === id);
  }
}
