import type { JsonObject } from '@holdfast/core';
import { deepStrictEqual } from 'node:assert';
import type { Told } from './read-told.ts';

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly content?: readonly Part[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly status?: string;
}

interface Body {
  readonly id: string;
  readonly status?: string;
  readonly error?: { readonly code?: string; readonly message: string } | null;
  readonly output?: readonly Item[];
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: Body;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly delta?: string;
  readonly text?: string;
  readonly arguments?: string;
  readonly code?: string;
  readonly message?: string;
}

/** An item that is being told. */
interface OpenItem {
  readonly item: Item;
  text: string;
  json: string;
}

/** Reads the events of a Responses stream as the protocol defines them: what is wrong throws. */
export function readResponsesStream(events: readonly string[]): Told {
  const open = new Map<number, OpenItem>();
  const done: Item[] = [];
  const texts: string[] = [];
  let end: Body | undefined;
  let error: Told['error'];
  let id: string | undefined;
  for (const [at, data] of events.entries()) {
    const event = JSON.parse(data) as Event;
    const { type, response, output_index: index = -1, item, delta = '' } = event;
    deepStrictEqual(event.sequence_number, at, 'events are numbered from 0');
    deepStrictEqual(end, undefined, `nothing follows the end, not ${type}`);
    deepStrictEqual(at === 0, type === 'response.created', 'response.created comes first');
    if (response !== undefined) deepStrictEqual(response.id, (id ??= response.id));
    const current = open.get(index);
    switch (type) {
      case 'response.output_item.added':
        deepStrictEqual(index, done.length + open.size, 'output_index counts from 0');
        open.set(index, { item: item!, text: '', json: '' });
        break;
      case 'response.output_text.delta':
        deepStrictEqual(event.item_id, current!.item.id);
        current!.text += delta;
        texts.push(delta);
        break;
      case 'response.output_text.done':
        deepStrictEqual(event.text, current!.text);
        break;
      case 'response.function_call_arguments.delta':
        deepStrictEqual(event.item_id, current!.item.id);
        current!.json += delta;
        break;
      case 'response.function_call_arguments.done':
        deepStrictEqual(event.arguments, current!.json);
        break;
      case 'response.output_item.done':
        checkDone(current!, item!);
        open.delete(index);
        done[index] = item!;
        break;
      case 'response.failed':
        error = toError(response!.error!);
        break;
      case 'error':
        error = { type: event.code ?? '', message: event.message! };
        break;
      case 'response.completed':
      case 'response.incomplete':
        deepStrictEqual(response!.output, done, 'the response has what was told');
        deepStrictEqual([...open.keys()], [], 'everything has ended');
        end = response!;
        break;
      default:
    }
  }
  return {
    text: texts.join(''),
    calls: done.flatMap(callIn),
    finish: end?.status,
    isDone: end !== undefined,
    error,
  };
}

/** Reads a whole response, or the error in its place. */
export function readResponse(body: string): Told {
  const { status, output = [], error } = JSON.parse(body) as Body;
  return {
    text: output.map(textIn).join(''),
    calls: output.flatMap(callIn),
    finish: error ? undefined : status,
    isDone: true,
    error: error ? toError(error) : undefined,
  };
}

function checkDone({ item, text, json }: OpenItem, done: Item): void {
  deepStrictEqual([done.id, done.type, done.call_id], [item.id, item.type, item.call_id]);
  if (done.type === 'message') deepStrictEqual(textIn(done), text);
  if (done.type === 'function_call') deepStrictEqual(done.arguments, json);
}

const textIn = ({ type, content = [] }: Item): string =>
  type === 'message' ? content.map(({ text }) => text ?? '').join('') : '';

/** A call that is told in part is no JSON, and throws. */
const callIn = ({ type, name, arguments: json }: Item): Told['calls'] =>
  type === 'function_call' ? [{ name: name!, arguments: JSON.parse(json!) as JsonObject }] : [];

const toError = ({ code = '', message }: NonNullable<Body['error']>): Told['error'] => ({
  type: code,
  message,
});
