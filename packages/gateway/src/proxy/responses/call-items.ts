import type { JsonObject } from '@holdfast/core';
import { textOf } from '../json/json-fields.ts';
import type { TurnCall } from '../turn/turn-event.ts';
import { callItem, callShape, customInput, endOfCall } from './call-item.ts';
import type { CallShape } from './call-item.ts';
import type { OutputList } from './output-list.ts';
import type { ResponseTool } from './response-tools.ts';

interface OpenCall {
  readonly call: { readonly id: string; readonly name: string };
  /** Where it stands; undefined for a custom tool, whose text is known only when its JSON is whole. */
  readonly place: { readonly index: number; readonly item: JsonObject } | undefined;
  json: string;
}

/** Tells calls as items of a response. */
export class CallItems {
  readonly #list: OutputList;
  readonly #tools: ReadonlyMap<string, ResponseTool>;
  /** Calls as the upstream began them, by their id: its fields are kept. */
  readonly #known = new Map<string, JsonObject>();
  /** Calls that are told while they are read, by their index. */
  readonly #open = new Map<number, OpenCall>();

  constructor(list: OutputList, tools: readonly ResponseTool[]) {
    this.#list = list;
    this.#tools = new Map(tools.map((tool) => [tool.flatName, tool]));
  }

  /** Whether a call was begun and not ended: it must not look finished. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Remembers a call as its upstream began it. */
  know(item: JsonObject): void {
    this.#known.set(textOf(item['call_id']), item);
  }

  /** In one piece: all clients accept it, and no client can see half of it. */
  tell(call: Pick<TurnCall, 'id' | 'name' | 'json'>): void {
    const shape = this.#shapeOf(call.name);
    const text = shape.field === 'input' ? customInput(call.json) : call.json;
    const { index, item } = this.#begin(call);
    this.#tellText(index, item, shape, text);
    this.#end(index, item, shape, text);
  }

  start(position: number, call: { readonly id: string; readonly name: string }): void {
    if (this.#open.has(position)) return;
    const isHeld = this.#shapeOf(call.name).field === 'input';
    const place = isHeld ? undefined : this.#begin(call);
    this.#open.set(position, { call, place, json: '' });
  }

  add(position: number, json: string): void {
    const open = this.#open.get(position);
    if (open === undefined || json === '') return;
    open.json += json;
    if (open.place === undefined) return;
    const { index, item } = open.place;
    this.#tellText(index, item, this.#shapeOf(open.call.name), json);
  }

  finish(position: number): void {
    const open = this.#open.get(position);
    if (open === undefined) return;
    if (open.json === '') this.add(position, '{}');
    this.#open.delete(position);
    const { call, place, json } = open;
    if (place === undefined) this.tell({ ...call, json });
    else this.#end(place.index, place.item, this.#shapeOf(call.name), json);
  }

  #begin(call: OpenCall['call']): { readonly index: number; readonly item: JsonObject } {
    const { type, prefix } = this.#shapeOf(call.name);
    const said = this.#known.get(call.id);
    const known = said?.['type'] === type ? said : undefined;
    const id = this.#list.takeId(known?.['id'], prefix);
    const item = callItem(call, this.#tools.get(call.name), id, known);
    const index = this.#list.takeIndex();
    this.#list.emit({ type: 'response.output_item.added', output_index: index, item });
    return { index, item };
  }

  #tellText(index: number, item: JsonObject, { delta }: CallShape, text: string): void {
    if (text === '') return;
    this.#list.emit({
      type: delta,
      item_id: textOf(item['id']),
      output_index: index,
      delta: text,
    });
  }

  #end(index: number, begun: JsonObject, shape: CallShape, text: string): void {
    const { events, item } = endOfCall(index, begun, shape, text);
    for (const event of events) this.#list.emit(event);
    this.#list.add(index, item);
  }

  #shapeOf(name: string): CallShape {
    return callShape(this.#tools.get(name));
  }
}
