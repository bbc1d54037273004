import type { JsonObject } from '@holdfast/core';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import type { MessageOptions } from './message-frame.ts';
import { seeStream } from './messages-stream.case.ts';
import type { SeenStream } from './messages-stream.case.ts';
import { MessagesWriter } from './messages-writer.ts';

export const OPTIONS: MessageOptions = {
  model: 'asked',
  nextMessageId: () => 'msg_1',
  inputTokens: 7,
};

/** A frame of a Chat upstream, of which nothing can be passed on as it is. */
export const CHUNK: UpstreamFrame = { events: [], data: '{"choices":[]}', body: { choices: [] } };
export const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };

export const start: TurnEvent = { type: 'start', id: 'chatcmpl-1', model: 'qwen3' };
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

export function call(index: number, name = 'read', args: JsonObject = { path: 'a' }): TurnEvent {
  const json = JSON.stringify(args);
  const id = `toolu_${index}`;
  const read = { index, id, name, arguments: args, json, format: 'hermes', repairs: [] };
  return { type: 'call', choice: 0, call: read };
}

/** What a client sees of a turn of a Chat upstream, each event in a frame of its own. */
export function writeTurn(events: readonly TurnEvent[]): SeenStream {
  const writer = new MessagesWriter(OPTIONS);
  return seeStream(events.map((event) => writer.write([event], CHUNK)).join('') + writer.end());
}
