import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { writtenJson } from '../json/written-json.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { itemKind } from './item-kind.ts';
import { ItemReader } from './item-reader.ts';
import { isPartKind, PART_WORDS } from './response-part.ts';
import type { PartKind } from './response-part.ts';

/** Reads the items of a response, streamed or whole, from the events that tell of them. */
export class ItemsReader {
  readonly #items: ItemReader[] = [];
  readonly #places = new Map<number, ItemReader>();
  /** The first item of each id. */
  readonly #byId = new Map<string, ItemReader>();
  #callCount = 0;

  get hasCalls(): boolean {
    return this.#callCount > 0;
  }

  /** Reads an event that tells of an item; other events are nothing. */
  read(event: JsonObject): UpstreamEvent[] {
    const { type, item, part } = event;
    if (type === 'response.output_item.added')
      return isObject(item) ? this.#begin(event, item) : [];
    if (type === 'response.output_item.done') return isObject(item) ? this.#end(event, item) : [];
    const text = TEXT_EVENTS.get(type);
    if (text !== undefined) return this.#readText(event, text);
    const call = CALL_EVENTS.get(type);
    if (call !== undefined) return this.#readArguments(event, call);
    if (isObject(part)) return this.#readPart(event, part);
    const known = this.#find(event);
    if (type === 'response.output_text.annotation.added')
      return known === undefined ? [] : known.annotation(event);
    return known?.kind === 'other' ? known.other(event) : [];
  }

  /** Reads the output of a response that has ended: what its events left out. */
  readOutput(output: JsonValue | undefined): UpstreamEvent[] {
    // Only what events told: two items of one output may look alike, and are two all the same.
    const told = new Set(this.#items);
    const byCallId = new Map(this.#items.map((known) => [known.callId, known]));
    return listOf(output).flatMap((item, index) => {
      if (!isObject(item)) return [];
      const known = this.#match(item, index, told, byCallId);
      if (known !== undefined) told.delete(known);
      if (known?.isEnded === true) return [];
      const event = { type: 'response.output_item.done', item };
      if (known !== undefined) return known.end(item, event);
      return this.#readWhole(item, event);
    });
  }

  #begin(event: JsonObject, item: JsonObject): UpstreamEvent[] {
    return this.#add(item, event['output_index']).begin(item, event);
  }

  #end(event: JsonObject, item: JsonObject): UpstreamEvent[] {
    const known = this.#find({ ...event, item_id: item['id'] ?? null });
    if (known?.kind === itemKind(item)) return known.end(item, event);
    return this.#readWhole(item, event);
  }

  /** An item of which nothing was said before. */
  #readWhole(item: JsonObject, event: JsonObject): UpstreamEvent[] {
    const { output_index: place } = event;
    const reader = this.#add(item, place);
    const placed = place === undefined ? {} : { output_index: place };
    const start = { type: 'response.output_item.added', ...placed, item: emptied(item) };
    return [...reader.begin(item, start), ...reader.end(item, event)];
  }

  #readText(event: JsonObject, { kind, isWhole }: TextEvent): UpstreamEvent[] {
    const { indexField, field } = PART_WORDS[kind];
    const type = kind === 'output_text' || kind === 'refusal' ? 'message' : 'reasoning';
    const item = this.#findOr(event, type);
    const index = event[indexField];
    return isWhole
      ? item.whole(kind, index, event[field])
      : item.delta(kind, index, event['delta']);
  }

  #readArguments(event: JsonObject, { type, isWhole, field }: CallEvent): UpstreamEvent[] {
    const item = this.#findOr(event, type);
    return isWhole ? item.argumentsWhole(event[field]) : item.argumentsDelta(event['delta']);
  }

  #readPart(event: JsonObject, part: JsonObject): UpstreamEvent[] {
    const { type: kind } = part;
    if (!isPartKind(kind)) return [];
    const { added, done, indexField, field } = PART_WORDS[kind];
    const item = this.#find(event);
    if (item === undefined) return [];
    if (event['type'] === added) return item.beginPart(kind, event[indexField]);
    return event['type'] === done ? item.whole(kind, event[indexField], part[field]) : [];
  }

  /** The item an event belongs to, which is made up where the upstream forgot to begin it. */
  #findOr(event: JsonObject, type: string): ItemReader {
    const known = this.#find(event);
    if (known?.kind === itemKind({ type })) return known;
    return this.#add({ type, id: event['item_id'] ?? '' }, event['output_index']);
  }

  #add(item: JsonObject, place: JsonValue | undefined): ItemReader {
    const slot = itemKind(item) === 'call' ? this.#callCount++ : -1;
    const reader = new ItemReader(item, slot);
    this.#items.push(reader);
    if (reader.id !== '' && !this.#byId.has(reader.id)) this.#byId.set(reader.id, reader);
    if (typeof place === 'number') this.#places.set(place, reader);
    return reader;
  }

  /** By its place, as some upstreams change the ids of their items from event to event. */
  #find({ output_index: place, item_id: id }: JsonObject): ItemReader | undefined {
    if (typeof place === 'number') return this.#places.get(place);
    const wanted = textOf(id);
    // Without either, it goes on with the last item.
    return wanted === '' ? this.#items.at(-1) : this.#byId.get(wanted);
  }

  #match(
    item: JsonObject,
    index: number,
    told: Set<ItemReader>,
    byCallId: ReadonlyMap<string, ItemReader>,
  ): ItemReader | undefined {
    const kind = itemKind(item);
    const callId = textOf(item['call_id']);
    const named = [
      this.#byId.get(textOf(item['id'])),
      callId === '' ? undefined : byCallId.get(callId),
      this.#places.get(index),
    ].find((known) => known?.kind === kind && told.has(known));
    // To compare each of very many with all others would take too long.
    if (named !== undefined || told.size > MOST_COMPARED) return named;
    const said = JSON.stringify(textsIn(item).join(''));
    return [...told].find(
      (known) => known.kind === kind && said.startsWith(JSON.stringify(known.told).slice(0, -1)),
    );
  }
}

const MOST_COMPARED = 200;

interface TextEvent {
  readonly kind: PartKind;
  readonly isWhole: boolean;
}

interface CallEvent {
  readonly type: 'function_call' | 'custom_tool_call';
  readonly isWhole: boolean;
  readonly field: 'arguments' | 'input';
}

const PART_KINDS: readonly PartKind[] = [
  'output_text',
  'refusal',
  'summary_text',
  'reasoning_text',
];

const TEXT_EVENTS: ReadonlyMap<JsonValue | undefined, TextEvent> = new Map(
  PART_KINDS.flatMap((kind): [string, TextEvent][] => [
    [PART_WORDS[kind].delta, { kind, isWhole: false }],
    [PART_WORDS[kind].said, { kind, isWhole: true }],
  ]),
);

const CALL_EVENTS: ReadonlyMap<JsonValue | undefined, CallEvent> = new Map<JsonValue, CallEvent>([
  [
    'response.function_call_arguments.delta',
    { type: 'function_call', isWhole: false, field: 'arguments' },
  ],
  [
    'response.function_call_arguments.done',
    { type: 'function_call', isWhole: true, field: 'arguments' },
  ],
  [
    'response.custom_tool_call_input.delta',
    { type: 'custom_tool_call', isWhole: false, field: 'input' },
  ],
  [
    'response.custom_tool_call_input.done',
    { type: 'custom_tool_call', isWhole: true, field: 'input' },
  ],
]);

/** What an item says, part by part. */
function textsIn({ content, summary, arguments: args, input }: JsonObject): string[] {
  const parts = [...listOf(summary), ...listOf(content)].filter(isObject);
  const texts = parts.map((part) => textOf(part['text'] ?? part['refusal']));
  return [...texts, isObject(args) ? writtenJson(args) : textOf(args), textOf(input)];
}

/** The item as its start would have been. */
function emptied(item: JsonObject): JsonObject {
  switch (itemKind(item)) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning': {
      const { content: _content, ...fields } = item;
      return { ...fields, summary: [] };
    }
    case 'call':
    case 'other':
      return item;
  }
}
