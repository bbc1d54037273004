import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf } from '../json/json-fields.ts';
import { GrowingText } from './growing-text.ts';
import type { ResponseEvent } from './response-event.ts';
import { emptyPart, isPartKind, PART_WORDS } from './response-part.ts';
import type { PartKind } from './response-part.ts';

/** A part that is being told. */
interface OpenPart {
  readonly kind: PartKind;
  readonly fields: JsonObject;
  readonly index: number;
  readonly text: GrowingText;
  readonly annotations: JsonValue[];
  /** Whether its text was said to be over: more of it needs another part. */
  isSaid: boolean;
}

/** How an item ended. */
export type ItemStatus = 'completed' | 'incomplete';

/** A message or a piece of reasoning while it is told, part by part. */
export class ItemInParts {
  readonly type: 'message' | 'reasoning';
  readonly index: number;
  readonly #id: string;
  /** The item as it was begun. */
  readonly #item: JsonObject;
  readonly #emit: (event: ResponseEvent) => void;
  readonly #content: JsonObject[] = [];
  readonly #summary: JsonObject[] = [];
  #part: OpenPart | undefined;

  /** `item` is empty yet, and has an id. */
  constructor(index: number, item: JsonObject, emit: (event: ResponseEvent) => void) {
    this.type = item['type'] === 'message' ? 'message' : 'reasoning';
    this.index = index;
    this.#id = textOf(item['id']);
    this.#item = item;
    this.#emit = emit;
  }

  /** Tells that there is such an item. */
  begin(): void {
    this.#emit({
      type: 'response.output_item.added',
      output_index: this.index,
      item: this.#item,
    });
  }

  say(kind: PartKind, text: string): void {
    if (text === '') return;
    const part = this.#partFor(kind);
    part.text.add(text);
    this.#tell(part, PART_WORDS[kind].delta, { delta: text, ...PART_WORDS[kind].extra });
  }

  /** Reasoning goes on in the kind of part that is open. */
  think(text: string): void {
    const kind = this.#part?.kind;
    this.say(kind === 'reasoning_text' ? kind : 'summary_text', text);
  }

  /** Begins a part, even where one of its kind is open. */
  openPart(kind: PartKind, fields: JsonObject): void {
    this.#open(kind, fields);
  }

  #open(kind: PartKind, fields: JsonObject): OpenPart {
    this.#closePart();
    const { added, list } = PART_WORDS[kind];
    const index = this.#listOf(list).length;
    const part: OpenPart = {
      kind,
      fields,
      index,
      text: new GrowingText(),
      annotations: [],
      isSaid: false,
    };
    this.#part = part;
    this.#tell(part, added, { part: fields });
    return part;
  }

  /** Adds what the text is taken from. It belongs to the text before it; without any it is left out. */
  annotate(event: JsonObject): void {
    const part = this.#part;
    const { annotation } = event;
    if (part?.kind !== 'output_text' || annotation === undefined) return;
    const annotationIndex = part.annotations.push(annotation) - 1;
    this.#tell(part, 'response.output_text.annotation.added', {
      annotation_index: annotationIndex,
      annotation,
    });
  }

  /** Ends the item and returns it. `more` is what its upstream knows of it besides. */
  end(status: ItemStatus, more: JsonObject = {}): JsonObject {
    this.#closePart();
    const item = this.#ended(status, more);
    this.#emit({ type: 'response.output_item.done', output_index: this.index, item });
    return item;
  }

  /** Takes over an event that was sent on as it came. Returns false, and does nothing, if it does not fit. */
  follow(event: JsonObject): boolean {
    const { type, item_id: id, part } = event;
    if (id !== this.#id) return false;
    const open = this.#part;
    if (open === undefined) return isObject(part) && this.#followPart(event, part);
    const words = PART_WORDS[open.kind];
    if (event[words.indexField] !== open.index) return false;
    switch (type) {
      case words.delta:
        if (typeof event['delta'] !== 'string' || open.isSaid) return false;
        open.text.add(event['delta']);
        return true;
      case words.said:
        if (event[words.field] !== open.text.value) return false;
        open.isSaid = true;
        return true;
      case words.done:
        if (!isObject(part) || part[words.field] !== open.text.value) return false;
        this.#listOf(words.list).push(part);
        this.#part = undefined;
        return true;
      case 'response.output_text.annotation.added':
        if (event['annotation_index'] !== open.annotations.length) return false;
        open.annotations.push(event['annotation'] ?? null);
        return true;
      default:
        return false;
    }
  }

  /** Whether the item, as its upstream ends it, is what was told. */
  isEndedBy(item: JsonObject): boolean {
    const { id, type } = item;
    return id === this.#id && type === this.type && this.#part === undefined;
  }

  #followPart(event: JsonObject, part: JsonObject): boolean {
    const { type: kind } = part;
    if (!isPartKind(kind)) return false;
    const { added, list, indexField, field } = PART_WORDS[kind];
    const index = this.#listOf(list).length;
    const isBegun = event['type'] === added && event[indexField] === index && part[field] === '';
    const isAtHome = (kind === 'output_text' || kind === 'refusal') === (this.type === 'message');
    if (!isBegun || !isAtHome) return false;
    this.#part = {
      kind,
      fields: part,
      index,
      text: new GrowingText(),
      annotations: [],
      isSaid: false,
    };
    return true;
  }

  #partFor(kind: PartKind): OpenPart {
    const open = this.#part;
    return open?.kind === kind && !open.isSaid ? open : this.#open(kind, emptyPart(kind));
  }

  #closePart(): void {
    const part = this.#part;
    if (part === undefined) return;
    const { said, done, field, list, extra } = PART_WORDS[part.kind];
    if (!part.isSaid) this.#tell(part, said, { [field]: part.text.value, ...extra });
    const annotations = part.kind === 'output_text' ? { annotations: part.annotations } : {};
    const whole: JsonObject = { ...part.fields, ...annotations, [field]: part.text.value };
    this.#listOf(list).push(whole);
    this.#tell(part, done, { part: whole });
    this.#part = undefined;
  }

  #tell({ kind, index }: OpenPart, type: string, fields: JsonObject): void {
    const place = { item_id: this.#id, output_index: this.index };
    this.#emit({ type, ...place, [PART_WORDS[kind].indexField]: index, ...fields });
  }

  #listOf(list: 'content' | 'summary'): JsonObject[] {
    return list === 'content' ? this.#content : this.#summary;
  }

  #ended(status: ItemStatus, more: JsonObject): JsonObject {
    const item = { ...this.#item, ...more, id: this.#id, type: this.type };
    if (this.type === 'message') return { ...item, status, content: this.#content };
    return {
      ...item,
      ...(status === 'incomplete' && { status }),
      summary: this.#summary,
      ...(this.#content.length > 0 && { content: this.#content }),
    };
  }
}
