import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { writtenJson } from '../json/written-json.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { GrowingText } from './growing-text.ts';
import { itemKind } from './item-kind.ts';
import type { ItemKind } from './item-kind.ts';
import { isPartKind, PART_WORDS } from './response-part.ts';
import type { PartKind } from './response-part.ts';
import { flatName } from './response-tools.ts';

/**
 * Reads one item of a response. What an item says may come in deltas, at the end of a part, at the end of the
 * item, or only in the whole response: each of these tells what those before it left out, so nothing is lost
 * and nothing is told twice.
 */
export class ItemReader {
  readonly kind: ItemKind;
  /** What the upstream calls it, by its start. */
  readonly id: string;
  callId = '';
  /** Whether it was told with all it has. */
  isEnded = false;
  /** Counts the calls of a response from 0; -1 for what is none. */
  readonly #slot: number;
  readonly #isCustom: boolean;
  /** The built-in tool that the item asks the client to run. */
  readonly #tool: string | undefined;
  #hasName = false;
  #hasInput = false;
  /** What was told of each part, or of the arguments. */
  readonly #told = new Map<string, GrowingText>();
  /** The parts of reasoning that were begun. */
  readonly #begun = new Set<string>();
  /** How many annotations each part had. */
  readonly #annotated = new Map<string, number>();

  constructor(item: JsonObject, slot: number) {
    this.kind = itemKind(item);
    this.id = textOf(item['id']);
    this.#slot = slot;
    this.#isCustom = item['type'] === 'custom_tool_call';
    this.#tool = RUN_BY_CLIENTS.get(item['type']);
  }

  /** All that was told, to compare it with an item that may be this one. */
  get told(): string {
    return [...this.#told.values()].map(({ value }) => value).join('');
  }

  /** The item begins; it is empty yet, and if not, its end says all of it. */
  begin(item: JsonObject, event: JsonObject): UpstreamEvent[] {
    return [this.#opaque(event), ...this.#readIdentity(item)];
  }

  /** The next characters of a part. */
  delta(
    kind: PartKind,
    index: JsonValue | undefined,
    text: JsonValue | undefined,
  ): UpstreamEvent[] {
    if (typeof text !== 'string') return [];
    const key = keyOf(kind, index);
    const isKnown = this.#told.has(key);
    this.#grow(key, text);
    const event = partEvent(kind, text);
    const isBegun = isKnown || this.kind !== 'reasoning';
    return isBegun ? [event] : [...this.beginPart(kind, index), event];
  }

  /** A part of reasoning begins: paragraphs of it stay apart. */
  beginPart(kind: PartKind, index: JsonValue | undefined): UpstreamEvent[] {
    const key = keyOf(kind, index);
    if (this.kind !== 'reasoning' || this.#begun.has(key)) return [];
    this.#begun.add(key);
    const part = { type: kind, text: '' };
    return [opaque({ type: PART_WORDS[kind].added, part })];
  }

  /** All text of a part: what was not told yet is. */
  whole(
    kind: PartKind,
    index: JsonValue | undefined,
    text: JsonValue | undefined,
  ): UpstreamEvent[] {
    const rest = this.#restOf(keyOf(kind, index), textOf(text));
    return rest === '' ? [] : this.delta(kind, index, rest);
  }

  annotation(event: JsonObject): UpstreamEvent[] {
    const key = keyOf('output_text', event['content_index']);
    this.#annotated.set(key, (this.#annotated.get(key) ?? 0) + 1);
    return [opaque(event)];
  }

  /** The next characters of what a tool is called with. */
  argumentsDelta(text: JsonValue | undefined): UpstreamEvent[] {
    const json = typeof text === 'string' || text === undefined ? text : writtenJson(text);
    if (json === undefined || json === '') return [];
    this.#grow(ARGUMENTS, json);
    // Free text becomes JSON only when it is whole.
    return this.#isCustom ? [] : [this.#fragment({ json })];
  }

  argumentsWhole(value: JsonValue | undefined): UpstreamEvent[] {
    const text = isObject(value) ? writtenJson(value) : textOf(value);
    const events = this.argumentsDelta(this.#restOf(ARGUMENTS, text));
    return this.#isCustom ? this.#tellInput() : events;
  }

  /** The item has ended, and is told with all it has. */
  end(item: JsonObject, event: JsonObject): UpstreamEvent[] {
    this.isEnded = true;
    switch (this.kind) {
      case 'message':
        return this.#readParts(item['content']);
      case 'reasoning':
        return [
          ...this.#readParts(item['summary']),
          ...this.#readParts(item['content']),
          opaque(event),
        ];
      case 'call':
        return [
          ...this.#readIdentity(item),
          ...this.argumentsWhole(item[this.#isCustom ? 'input' : 'arguments']),
        ];
      case 'other':
        return [this.#opaque(event, JSON.stringify(item))];
    }
  }

  /** What happens to an item that only the upstream and the client understand. */
  other(event: JsonObject): UpstreamEvent[] {
    return [this.#opaque(event)];
  }

  #opaque(content: JsonObject, text = ''): UpstreamEvent {
    const event = { type: 'opaque', choice: 0, content } as const;
    return this.#tool === undefined ? event : { ...event, call: { tool: this.#tool, text } };
  }

  #readParts(parts: JsonValue | undefined): UpstreamEvent[] {
    return listOf(parts).flatMap((part, index) => {
      if (!isObject(part)) return [];
      const { type: kind, annotations } = part;
      if (!isPartKind(kind)) return [];
      const events = this.whole(kind, index, part[PART_WORDS[kind].field]);
      const known = this.#annotated.get(keyOf(kind, index)) ?? 0;
      for (const annotation of listOf(annotations).slice(known))
        events.push(...this.annotation({ type: ANNOTATED, content_index: index, annotation }));
      return events;
    });
  }

  /** The id and the name of a call, each once. */
  #readIdentity(item: JsonObject): UpstreamEvent[] {
    if (this.kind !== 'call') return [];
    const id = this.callId === '' ? textOf(item['call_id']) || textOf(item['id']) : '';
    const name = this.#hasName ? '' : textOf(item['name']);
    if (id === '' && name === '') return [];
    if (id !== '') this.callId = id;
    this.#hasName ||= name !== '';
    const flat = name === '' ? '' : flatName(textOf(item['namespace']), name);
    return [this.#fragment({ ...(id !== '' && { id }), ...(flat !== '' && { name: flat }) })];
  }

  #tellInput(): UpstreamEvent[] {
    if (this.#hasInput) return [];
    this.#hasInput = true;
    const input = this.#told.get(ARGUMENTS)?.value ?? '';
    return [this.#fragment({ json: JSON.stringify({ input }) })];
  }

  #fragment(
    fields: Pick<Extract<UpstreamEvent, { type: 'call-fragment' }>, 'id' | 'name' | 'json'>,
  ): UpstreamEvent {
    return { type: 'call-fragment', choice: 0, slot: this.#slot, ...fields };
  }

  #grow(key: string, text: string): void {
    let told = this.#told.get(key);
    if (told === undefined) {
      told = new GrowingText();
      this.#told.set(key, told);
    }
    told.add(text);
  }

  /** What of a text was not told. One that differs from what was told is left: it cannot be taken back. */
  #restOf(key: string, text: string): string {
    const told = this.#told.get(key)?.value ?? '';
    return text.startsWith(told) ? text.slice(told.length) : '';
  }
}

const ARGUMENTS = 'arguments';
/** Items that clients run, with the type of the tool that has to be offered. */
const RUN_BY_CLIENTS: ReadonlyMap<JsonValue | undefined, string> = new Map<JsonValue, string>([
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);
const ANNOTATED = 'response.output_text.annotation.added';

function keyOf(kind: PartKind, index: JsonValue | undefined): string {
  return `${PART_WORDS[kind].list}/${typeof index === 'number' ? index : 0}`;
}

function partEvent(kind: PartKind, text: string): UpstreamEvent {
  if (kind === 'output_text') return { type: 'text', choice: 0, text };
  return kind === 'refusal' ? opaque({ refusal: text }) : { type: 'reasoning', choice: 0, text };
}

function opaque(content: JsonObject): UpstreamEvent {
  return { type: 'opaque', choice: 0, content };
}
