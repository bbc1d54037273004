import type { JsonObject } from '@holdfast/core';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { checkResponsesStream } from './check-responses-stream.case.ts';
import type { SeenResponse } from './check-responses-stream.case.ts';
import type { ResponseOptions } from './response-options.ts';
import { ResponsesWriter } from './responses-writer.ts';

/** The tools that requests of the tests offer: a function, a custom tool, and one in a namespace. */
export const TOOLS: readonly JsonObject[] = [
  { type: 'function', name: 'read', parameters: { type: 'object', properties: {} } },
  { type: 'custom', name: 'patch' },
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
  { type: 'web_search' },
];

/** Options whose ids count from 1. */
export function options(body: JsonObject = {}): ResponseOptions {
  let count = 0;
  return {
    request: { body: { tools: TOOLS, ...body }, model: 'asked', stream: true, tools: [] },
    requestId: 'req_1',
    wallTime: 1_700_000_000_500,
    nextId: (prefix) => `${prefix}${++count}`,
  };
}

/** A frame of a Chat upstream, of which nothing can be passed on as it is. */
export const CHUNK: UpstreamFrame = { events: [], data: '{"choices":[]}', body: { choices: [] } };
export const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };

export const start: TurnEvent = { type: 'start', id: 'chatcmpl-1', model: 'qwen3', created: 5 };
export const usage: TurnEvent = { type: 'usage', usage: { inputTokens: 11, outputTokens: 5 } };
export const done: TurnEvent = { type: 'done' };

export function text(value: string): TurnEvent {
  return { type: 'text', choice: 0, text: value };
}

export function thought(value: string): TurnEvent {
  return { type: 'reasoning', choice: 0, text: value };
}

export function finish(reason: FinishReason): TurnEvent {
  return { type: 'finish', choice: 0, reason };
}

export function opaque(content: JsonObject): TurnEvent {
  return { type: 'opaque', choice: 0, content };
}

export function call(index: number, name = 'read', args: JsonObject = { path: 'a' }): TurnEvent {
  const json = JSON.stringify(args);
  const id = `call_${index}`;
  const read = { index, id, name, arguments: args, json, format: 'hermes', repairs: [] };
  return { type: 'call', choice: 0, call: read };
}

/** What a client sees of a turn of a Chat upstream, each event in a frame of its own. */
export function writeTurn(events: readonly TurnEvent[], body: JsonObject = {}): SeenResponse {
  const writer = new ResponsesWriter(options(body));
  const told = events.map((event) => writer.write([event], CHUNK)).join('') + writer.end();
  return checkResponsesStream(told);
}
