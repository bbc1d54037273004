import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';

/** A stream of responses as a client sees it. */
export interface SeenResponse {
  readonly names: readonly string[];
  readonly events: readonly JsonObject[];
  /** What breaks the order that clients rely on; empty for a stream that is right. */
  readonly problems: readonly string[];
  /** The items that were ended, in order. */
  readonly output: readonly JsonObject[];
  /** The response that the stream ended with. */
  readonly response: JsonObject;
}

interface SeenItem {
  readonly item: JsonObject;
  readonly parts: Map<string, { text: string; isSaid: boolean; isDone: boolean }>;
  text: string;
}

/** Reads a stream by the letter, and holds it against what OpenAI's SDK, the AI SDK and Codex rely on. */
export function checkResponsesStream(stream: string): SeenResponse {
  const check = new StreamCheck();
  for (const chunk of stream.split('\n\n').slice(0, -1)) check.read(chunk);
  if (stream !== '' && !stream.endsWith('\n\n'))
    check.expect(false, 'the last event is not closed');
  return check.end();
}

class StreamCheck {
  readonly #names: string[] = [];
  readonly #events: JsonObject[] = [];
  readonly #problems: string[] = [];
  readonly #open = new Map<JsonValue, SeenItem>();
  readonly #ended = new Map<number, JsonObject>();
  readonly #ids = new Set<JsonValue>();
  #itemCount = 0;
  #responseId: JsonValue = null;
  #response: JsonObject = {};
  #state: 'before' | 'content' | 'failing' | 'over' = 'before';

  expect(isRight: boolean, problem: string): void {
    if (!isRight) this.#problems.push(problem);
  }

  read(chunk: string): void {
    if (chunk === 'data: [DONE]') {
      this.expect(this.#state === 'over', '[DONE] before the end');
      return;
    }
    const lines = /^event: ([\w.]+)\ndata: (.*)$/.exec(chunk);
    this.expect(lines !== null, `not an event with a name and one line of data: ${chunk}`);
    if (lines === null) return;
    const event = JSON.parse(lines[2] ?? '') as JsonObject;
    const { type, sequence_number: number } = event;
    this.expect(type === lines[1], `event ${lines[1] ?? ''} holds ${textOf(type)}`);
    this.expect(number === this.#events.length, `number ${show(number)} at ${this.#events.length}`);
    this.expect(this.#state !== 'over', `${textOf(type)} comes after the end`);
    if (this.#state === 'failing') this.expect(type === 'response.failed', 'more behind an error');
    this.#names.push(textOf(type));
    this.#events.push(event);
    this.#take(event);
  }

  end(): SeenResponse {
    this.expect(this.#state === 'over', 'the stream does not end');
    return {
      names: this.#names,
      events: this.#events,
      problems: this.#problems,
      output: this.#output(),
      response: this.#response,
    };
  }

  #output(): JsonObject[] {
    return [...this.#ended].sort(([one], [other]) => one - other).map(([, item]) => item);
  }

  #take(event: JsonObject): void {
    const { type, response } = event;
    switch (type) {
      case 'response.created':
        this.expect(this.#state === 'before', 'two starts');
        this.#responseId = objectOf(response)['id'] ?? null;
        this.expect(textOf(this.#responseId) !== '', 'a response without an id');
        this.#state = 'content';
        break;
      case 'response.in_progress':
        this.#checkResponse(response);
        break;
      case 'response.completed':
      case 'response.incomplete':
        this.#takeEnd(response);
        break;
      case 'error':
        this.expect(textOf(event['message']) !== '', 'an error without a message');
        this.#state = 'failing';
        break;
      case 'response.failed':
        this.expect(this.#state === 'failing', 'a failure that the SDK of OpenAI does not throw');
        this.#checkResponse(response);
        this.#response = objectOf(response);
        this.#state = 'over';
        break;
      default:
        this.expect(this.#state === 'content', `${textOf(type)} outside of the response`);
        this.#takeItemEvent(event);
    }
  }

  #checkResponse(response: JsonValue | undefined): void {
    const { id, object, model, created_at: created, output } = objectOf(response);
    this.expect(id === this.#responseId, 'the response has another id');
    const isWhole = object === 'response' && typeof created === 'number' && Array.isArray(output);
    this.expect(isWhole && textOf(model) !== '', 'a response without what SDKs need');
  }

  #takeEnd(response: JsonValue | undefined): void {
    const { output, usage } = objectOf(response);
    this.#checkResponse(response);
    this.expect(this.#open.size === 0, 'an end with items open');
    this.expect(
      JSON.stringify(output) === JSON.stringify(this.#output()),
      `the output ${show(output)} is not what was told: ${show(this.#output())}`,
    );
    const { input_tokens: input, output_tokens: cost, total_tokens: total } = objectOf(usage);
    const areCounts = [input, cost, total].every((count) => typeof count === 'number');
    this.expect(areCounts, 'an end without usage');
    this.#response = objectOf(response);
    this.#state = 'over';
  }

  #takeItemEvent(event: JsonObject): void {
    const { type, item, output_index: index = null } = event;
    if (type === 'response.output_item.added') {
      this.#takeStart(objectOf(item), index);
      return;
    }
    if (index === null) return;
    const open = this.#open.get(index);
    this.expect(open !== undefined, `${textOf(type)} for item ${show(index)}, which is not open`);
    if (open === undefined) return;
    if (type === 'response.output_item.done') this.#takeItemEnd(open, objectOf(item), index);
    else {
      this.expect(event['item_id'] === open.item['id'], `${textOf(type)} has another item's id`);
      this.#takePart(open, event);
    }
  }

  #takeStart(item: JsonObject, index: JsonValue): void {
    const { id = null, type, call_id: callId } = item;
    this.expect(index === this.#itemCount++, `item ${show(index)} of ${this.#itemCount}`);
    this.expect(textOf(id) !== '' && !this.#ids.has(id), `the id ${show(id)} is empty or twice`);
    this.#ids.add(id);
    if (type === 'function_call' || type === 'custom_tool_call')
      this.expect(textOf(callId) !== '', 'a call without an id');
    if (type === 'message') {
      const isEmpty = Array.isArray(item['content']) && item['content'].length === 0;
      this.expect(isEmpty && item['status'] === 'in_progress', 'a message that begins wrongly');
    }
    if (type === 'reasoning') this.expect(Array.isArray(item['summary']), 'no summary');
    this.#open.set(index, { item, parts: new Map(), text: '' });
  }

  #takeItemEnd(open: SeenItem, item: JsonObject, index: JsonValue): void {
    const { id, type, call_id: callId } = open.item;
    const isSame = item['id'] === id && item['type'] === type && item['call_id'] === callId;
    this.expect(isSame, `the item ${show(item)} began as ${show(open.item)}`);
    this.#open.delete(index);
    if (typeof index === 'number') this.#ended.set(index, item);
    for (const [key, { isDone }] of open.parts) this.expect(isDone, `part ${key} is not done`);
    const lists = { content: item['content'], summary: item['summary'] };
    if (type === 'message' || type === 'reasoning') {
      for (const [list, parts] of Object.entries(lists))
        for (const [at, part] of listOf(parts).entries()) {
          const { text, refusal } = objectOf(part);
          const told = open.parts.get(`${list}/${at}`)?.text;
          this.expect(told === (text ?? refusal), `${list}/${at} is not what its deltas say`);
        }
    }
    if (type === 'function_call') {
      this.expect(item['arguments'] === open.text, 'arguments that are not what was told');
      this.expect(isJsonObject(open.text), `arguments that are no object: ${open.text}`);
      this.expect(item['status'] === 'completed', 'a call that is not completed');
    }
    if (type === 'custom_tool_call')
      this.expect(item['input'] === open.text, 'an input that is not what was told');
  }

  #takePart(open: SeenItem, event: JsonObject): void {
    const { type, delta, part } = event;
    const name = textOf(type);
    if (/function_call_arguments|custom_tool_call_input/.test(name)) {
      if (name.endsWith('.delta')) open.text += textOf(delta);
      else {
        const told = event['arguments'] ?? event['input'];
        this.expect(told === open.text, `${name} is not the sum of its deltas`);
      }
      return;
    }
    const { summary_index: summary, content_index: content } = event;
    if (summary === undefined && content === undefined) return;
    const key = summary === undefined ? `content/${show(content)}` : `summary/${show(summary)}`;
    const known = open.parts.get(key);
    if (name.endsWith('part.added')) {
      this.expect(known === undefined, `part ${key} is added twice`);
      open.parts.set(key, { text: '', isSaid: false, isDone: false });
      return;
    }
    this.expect(known !== undefined && !known.isDone, `${name} for part ${key}, which is not open`);
    if (known === undefined) return;
    if (name.endsWith('part.done')) {
      const { text, refusal } = objectOf(part);
      this.expect(known.isSaid, `part ${key} is done before its text`);
      this.expect((text ?? refusal) === known.text, `part ${key} is not what was told`);
      known.isDone = true;
    } else if (name.endsWith('.delta')) {
      this.expect(!known.isSaid, `more text in ${key}, which was said to be over`);
      known.text += textOf(delta);
    } else if (name.endsWith('.done')) {
      this.expect((event['text'] ?? event['refusal']) === known.text, `${name} is not the sum`);
      known.isSaid = true;
    }
  }
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function isJsonObject(json: string): boolean {
  try {
    return isObject(JSON.parse(json));
  } catch {
    return false;
  }
}
