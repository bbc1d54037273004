import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import type { FinishReason } from '../turn/finish-reason.ts';
import { sameEvents } from '../turn/same-events.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import type { Usage } from '../turn/usage.ts';
import { ResponseEnvelope } from './response-envelope.ts';
import type { ResponseStart } from './response-envelope.ts';
import { ResponseItems } from './response-items.ts';
import type { ResponseOptions } from './response-options.ts';
import { requestTools } from './request-tools.ts';
import { isSoundUsage } from './responses-usage.ts';

/**
 * Makes one whole `response` of all events of a turn: the same output that its stream would have had. A
 * Responses upstream's own body is kept as it came where nothing was changed.
 */
export function responsesAnswer(
  events: readonly TurnEvent[],
  frame: UpstreamFrame,
  options: ResponseOptions,
): string {
  const upstream = frame.body !== undefined && isResponse(frame.body) ? frame.body : undefined;
  if (upstream !== undefined && sameEvents(events, frame.events) && isSound(upstream)) {
    options.onOutput?.(listOf(upstream['output']));
    return frame.data;
  }
  return JSON.stringify(makeResponse(events, upstream, options));
}

/** Whether an answer is a response, and not one of another protocol. */
export function isResponse({ object, output }: JsonObject): boolean {
  return object === 'response' || Array.isArray(output);
}

function makeResponse(
  events: readonly TurnEvent[],
  upstream: JsonObject | undefined,
  options: ResponseOptions,
): JsonObject {
  const envelope = new ResponseEnvelope(options);
  envelope.adopt(upstream);
  const tools = requestTools(options.request.body);
  const items = new ResponseItems(
    () => undefined,
    tools,
    (prefix) => options.nextId(prefix),
  );
  let start: ResponseStart | undefined;
  let reason: FinishReason = 'stop';
  let usage: Usage | undefined;
  for (const event of events) {
    if ('choice' in event && event.choice !== 0) continue;
    if (event.type === 'start') start ??= event;
    else if (event.type === 'finish') reason = event.reason;
    else if (event.type === 'usage') usage = event.usage;
    else items.tell(event);
  }
  items.close(reason === 'length' || reason === 'content-filter' ? 'incomplete' : 'completed');
  envelope.begin(start);
  const output = items.output().map((item) => ownWords(item, listOf(upstream?.['output'])));
  options.onOutput?.(output);
  return envelope.ended({ output, reason, usage });
}

/** The upstream's own item where it says the same, as it may say more: the likelihood of each word, for one. */
function ownWords(item: JsonObject, said: readonly JsonValue[]): JsonObject {
  const own = said.filter(isObject).find(({ id }) => textOf(id) !== '' && id === item['id']);
  return own !== undefined && gist(own) === gist(item) ? own : item;
}

/** What an item says. */
function gist({ type, name, status, arguments: args, input, content }: JsonObject): string {
  const parts = listOf(content).map((part) =>
    isObject(part) ? [part['type'], part['text'], part['refusal']] : part,
  );
  return JSON.stringify([type, name, status, args, input, type === 'message' ? parts : []]);
}

function isSound({ id, model, status, output, created_at: created, usage }: JsonObject): boolean {
  const isNamed = textOf(id) !== '' && textOf(model) !== '' && textOf(status) !== '';
  const areItemsNamed = listOf(output).every(
    (item) => isObject(item) && textOf(item['id']) !== '' && textOf(item['type']) !== '',
  );
  const isCounted = typeof created === 'number' && isSoundUsage(usage);
  return isNamed && isCounted && Array.isArray(output) && areItemsNamed;
}
