import type { JsonObject } from '@holdfast/core';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { partOf } from './chat-choices.ts';
import { countOf, isObject, listOf, objectOf } from '../json/json-fields.ts';
import type { ToldChoice } from './told-choice.ts';

/** An event that belongs to a choice. */
export type ChoiceEvent = Extract<TurnEvent, { choice: number }>;

/** The delta that tells an event; undefined where there is nothing to tell. */
export function chatDelta(
  event: ChoiceEvent,
  told: ToldChoice,
  frame: UpstreamFrame,
): JsonObject | undefined {
  switch (event.type) {
    case 'text':
      return event.text === '' ? undefined : { content: event.text };
    case 'reasoning':
      return { [reasoningField(event, frame)]: event.text };
    case 'opaque':
      return opaqueDelta(event.content, told);
    case 'call':
      return callDelta(event.call.index, told, event.call);
    case 'call-start':
      told.beginPieces(event.index);
      return callDelta(event.index, told, { ...event, json: '' });
    case 'call-delta':
      if (event.json === '') return undefined;
      told.addPiece(event.index);
      return pieceDelta(event.index, told, event.json);
    case 'call-end':
      // Clients cannot read the arguments of a call that has no character of them.
      return told.endPieces(event.index) ? pieceDelta(event.index, told, '{}') : undefined;
    case 'finish':
      return {};
  }
}

/** The name that the upstream has for reasoning, where it told this itself. */
function reasoningField(event: ChoiceEvent, frame: UpstreamFrame): string {
  const isOwn = frame.events.some((own) => own === event);
  const part = isOwn ? partAt(event.choice, frame) : undefined;
  return typeof part?.['reasoning'] === 'string' && typeof part['reasoning_content'] !== 'string'
    ? 'reasoning'
    : 'reasoning_content';
}

function partAt(choice: number, frame: UpstreamFrame): JsonObject | undefined {
  const said = listOf(frame.body?.['choices']).find(
    (other, position) => isObject(other) && (countOf(other['index']) ?? position) === choice,
  );
  return isObject(said) ? partOf(said) : undefined;
}

function opaqueDelta(content: JsonObject, told: ToldChoice): JsonObject {
  const calls = listOf(content['tool_calls']).map(objectOf);
  if (calls.length === 0) return content;
  const own = calls.map((call) => ({
    ...call,
    index: told.customIndex(countOf(call['index']) ?? 0),
  }));
  return { ...content, tool_calls: own };
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

function callDelta(number: number, told: ToldChoice, call: Call): JsonObject | undefined {
  const { id, name, json } = call;
  const index = told.callIndex(number);
  const called = { name, arguments: json };
  if (told.shape === 'function_call') return olderDelta(index, called);
  return { tool_calls: [{ index, id, type: 'function', function: called }] };
}

function pieceDelta(number: number, told: ToldChoice, json: string): JsonObject | undefined {
  const index = told.callIndex(number);
  const called = { arguments: json };
  if (told.shape === 'function_call') return olderDelta(index, called);
  return { tool_calls: [{ index, function: called }] };
}

/** There can be only one: a model that wants more asks again when it has the result. */
function olderDelta(index: number, called: JsonObject): JsonObject | undefined {
  return index === 0 ? { function_call: called } : undefined;
}
