import type { JsonObject } from '@holdfast/core';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { AnswerChoice } from './answer-choice.ts';
import type { CallShape } from './call-shape.ts';
import type { ChatIdentity } from './chat-envelope.ts';

import { chatUsage } from './chat-usage.ts';
import { countOf, isObject, listOf, textOf } from '../json/json-fields.ts';
import { sameEvents } from '../turn/same-events.ts';

const OBJECT = 'chat.completion';

/**
 * The body of a whole answer, as JSON: as it came where nothing has to change, else made of the events, with
 * all else the upstream said. An answer with an `error` event is not for here; `chatError` tells it.
 */
export function chatAnswer(
  events: readonly TurnEvent[],
  frame: UpstreamFrame,
  fallback: ChatIdentity,
  shape: CallShape = 'tool_calls',
): string {
  const body = chatAnswerBody(events, frame, fallback, shape);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The same, not written yet where it has to be made. */
export function chatAnswerBody(
  events: readonly TurnEvent[],
  frame: UpstreamFrame,
  fallback: ChatIdentity,
  shape: CallShape,
): string | JsonObject {
  const body = frame.body ?? {};
  const choices = choicesOf(events, body, shape);
  const isOwn = sameEvents(events, frame.events) && isRight(body);
  if (isOwn && [...choices.values()].every((choice) => choice.isAsItCame)) return frame.data;
  const start = events.find((event) => event.type === 'start');
  const usage = events.findLast((event) => event.type === 'usage');
  const made: JsonObject = {
    ...body,
    id: start?.id || fallback.id,
    object: OBJECT,
    created: start?.created ?? fallback.created,
    model: start?.model || fallback.model,
    // A stream that was put together has no usage of the whole.
    ...(usage !== undefined && !isObject(body['usage']) && { usage: chatUsage(usage.usage) }),
    choices: [...choices].sort(([one], [other]) => one - other).map(([, choice]) => choice.json()),
  };
  return made;
}

function choicesOf(
  events: readonly TurnEvent[],
  body: JsonObject,
  shape: CallShape,
): Map<number, AnswerChoice> {
  const choices = new Map<number, AnswerChoice>();
  listOf(body['choices']).forEach((said, position) => {
    if (!isObject(said)) return;
    const number = countOf(said['index']) ?? position;
    choices.set(number, new AnswerChoice(number, said, shape));
  });
  for (const event of events) {
    if (!('choice' in event)) continue;
    let choice = choices.get(event.choice);
    if (choice === undefined) {
      choice = new AnswerChoice(event.choice, {}, shape);
      choices.set(event.choice, choice);
    }
    choice.add(event);
  }
  return choices;
}

function isRight(body: JsonObject): boolean {
  return (
    body['object'] === OBJECT &&
    textOf(body['id']) !== '' &&
    textOf(body['model']) !== '' &&
    typeof body['created'] === 'number'
  );
}
