import type { JsonObject } from '@holdfast/core';
import { isObject, listOf } from '../json/json-fields.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import { CallItems } from './call-items.ts';
import { ItemInParts } from './item-in-parts.ts';
import type { ItemStatus } from './item-in-parts.ts';
import { itemKind } from './item-kind.ts';
import { OtherItems } from './other-items.ts';
import { OutputList } from './output-list.ts';
import type { ResponseEvent } from './response-event.ts';
import { isPartKind } from './response-part.ts';
import type { ResponseTool } from './response-tools.ts';

/**
 * Makes the items of a response of a turn. A stream sends the events on, a whole answer takes the items, so
 * both have the same output. A message ends when something else begins, not when its upstream ends it: text
 * that was held back still belongs to it.
 */
export class ResponseItems {
  readonly #list: OutputList;
  readonly #calls: CallItems;
  readonly #others: OtherItems;
  #open: ItemInParts | undefined;
  /** The message that the upstream has begun, and of which nothing was told. */
  #message: JsonObject | undefined;

  constructor(
    emit: (event: ResponseEvent) => void,
    tools: readonly ResponseTool[],
    nextId: (prefix: string) => string,
  ) {
    this.#list = new OutputList(emit, nextId);
    this.#calls = new CallItems(this.#list, tools);
    this.#others = new OtherItems(this.#list);
  }

  /** Whether a call was begun and not ended: it must not look finished. */
  get hasOpenCalls(): boolean {
    return this.#calls.hasOpen;
  }

  /** Whether any item was begun and not ended. */
  get isOpen(): boolean {
    return this.#list.openCount > 0;
  }

  /** The items that were told to their end. */
  output(): JsonObject[] {
    return this.#list.items();
  }

  /** Events that are no content are none of its business. */
  tell(event: TurnEvent): void {
    switch (event.type) {
      case 'text':
        if (event.text !== '') this.#in('message').say('output_text', event.text);
        break;
      case 'reasoning':
        if (event.text !== '') this.#in('reasoning').think(event.text);
        break;
      case 'call':
        this.#closeOpen();
        this.#calls.tell(event.call);
        break;
      case 'call-start':
        this.#closeOpen();
        this.#calls.start(event.index, event);
        break;
      case 'call-delta':
        this.#calls.add(event.index, event.json);
        break;
      case 'call-end':
        this.#calls.finish(event.index);
        break;
      case 'opaque':
        this.#tellOpaque(event.content);
        break;
      default:
        break;
    }
  }

  /** Ends all that is open but calls. */
  close(status: ItemStatus): void {
    this.#closeOpen(status);
    this.#others.close();
  }

  /** Takes over an event that was sent on as it came. Returns false, and does nothing, if it does not fit. */
  follow(event: JsonObject): boolean {
    const { type, item, output_index: index } = event;
    const open = this.#open;
    if (type === 'response.output_item.added') return isObject(item) && this.#follow(event, item);
    if (open === undefined || open.index !== index) return this.#others.follow(event);
    if (type !== 'response.output_item.done') return open.follow(event);
    if (!isObject(item) || !open.isEndedBy(item)) return false;
    this.#list.add(open.index, item);
    this.#open = undefined;
    return true;
  }

  #follow({ output_index: index }: JsonObject, item: JsonObject): boolean {
    const isNext = index === this.#list.nextIndex && this.#list.isFree(item['id']);
    if (!isNext || this.#open !== undefined || this.#calls.hasOpen) return false;
    const kind = itemKind(item);
    const isEmpty = listOf(item['content']).length + listOf(item['summary']).length === 0;
    if (kind === 'call' || (kind !== 'other' && !isEmpty)) return false;
    this.#list.takeId(item['id'], '');
    this.#list.takeIndex();
    if (kind === 'other') this.#others.followStart(item, index);
    else this.#open = new ItemInParts(index, item, this.#list.emit);
    return true;
  }

  /** Content of the Responses protocol that we do not look into, or a refusal. */
  #tellOpaque(content: JsonObject): void {
    const { type, item, part, refusal } = content;
    if (type === 'response.output_item.added' && isObject(item)) this.#begin(content, item);
    else if (type === 'response.output_item.done' && isObject(item)) this.#end(content, item);
    else if (type === 'response.output_text.annotation.added') this.#open?.annotate(content);
    else if (isObject(part)) this.#openPart(part);
    else if (typeof refusal === 'string' && type === undefined) this.#refuse(refusal);
    else this.#others.tell(content);
  }

  #refuse(text: string): void {
    if (text !== '') this.#in('message').say('refusal', text);
  }

  #begin(event: JsonObject, item: JsonObject): void {
    switch (itemKind(item)) {
      case 'message':
        if (this.#open?.type === 'message') this.#closeOpen();
        this.#message = item;
        break;
      case 'reasoning':
        this.#closeOpen();
        this.#start(item);
        break;
      case 'call':
        this.#calls.know(item);
        break;
      case 'other':
        this.#closeOpen();
        this.#others.begin(event);
        break;
    }
  }

  #end(event: JsonObject, item: JsonObject): void {
    const kind = itemKind(item);
    if (kind === 'reasoning' && this.#open?.type === 'reasoning')
      this.#closeOpen('completed', item);
    if (kind !== 'other') return;
    this.#closeOpen();
    this.#others.end(event);
  }

  #openPart({ type: kind, ...fields }: JsonObject): void {
    if (!isPartKind(kind)) return;
    if (kind === 'summary_text' || kind === 'reasoning_text')
      this.#in('reasoning').openPart(kind, { ...fields, type: kind, text: '' });
  }

  /** The open item of that type, which is begun if there is none. */
  #in(type: ItemInParts['type']): ItemInParts {
    if (this.#open?.type === type) return this.#open;
    this.#closeOpen();
    const known = type === 'message' ? this.#message : undefined;
    this.#message = undefined;
    return this.#start({ ...known, type });
  }

  #start(known: JsonObject): ItemInParts {
    const isMessage = known['type'] === 'message';
    const id = this.#list.takeId(known['id'], isMessage ? 'msg_' : 'rs_');
    const empty = isMessage
      ? { status: 'in_progress', content: [], role: 'assistant' }
      : { summary: [] };
    const { content: _content, ...fields } = known;
    const item = { ...fields, id, ...empty };
    this.#open = new ItemInParts(this.#list.takeIndex(), item, this.#list.emit);
    this.#open.begin();
    return this.#open;
  }

  #closeOpen(status: ItemStatus = 'completed', more?: JsonObject): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#list.add(open.index, open.end(status, more));
  }
}
