import type { JsonObject, JsonValue } from '@holdfast/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { checkResponsesStream } from './check-responses-stream.case.ts';
import { readResponsesAnswer } from './read-responses-answer.ts';
import { ResponsesStreamReader } from './read-responses-stream.ts';
import { responsesAnswer } from './responses-answer.ts';
import {
  call,
  CHUNK,
  done,
  finish,
  NO_FRAME,
  opaque,
  options,
  start,
  text,
  thought,
  usage,
  writeTurn,
} from './responses-turn.case.ts';
import { ResponsesWriter } from './responses-writer.ts';

const ADDED = 'response.output_item.added';
const DONE = 'response.output_item.done';
const anyJson = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null)));
const anyName = fc.oneof(
  fc.constantFrom('read', 'patch', 'agents__spawn'),
  fc.string({ minLength: 1 }),
);
const anyItem: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject[]>(
  { id: 'rs_up', type: 'reasoning', summary: [], encrypted_content: 'x' },
  { id: 'msg_up', type: 'message', phase: 'commentary', content: [] },
  { id: 'ws_up', type: 'web_search_call', status: 'completed' },
  { id: 'fc_up', type: 'function_call', call_id: 'call_0', async: true },
  { type: 'of_the_future' },
);
const anyOpaque: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.tuple(anyItem, fc.nat(2)).map(([item, index]) => ({ type: ADDED, output_index: index, item })),
  fc.tuple(anyItem, fc.nat(2)).map(([item, index]) => ({ type: DONE, output_index: index, item })),
  fc.constantFrom<JsonObject[]>(
    { type: 'response.web_search_call.searching', output_index: 1, item_id: 'ws_up' },
    { type: 'response.reasoning_summary_part.added', part: { type: 'summary_text', text: '' } },
    { type: 'response.content_part.added', part: { type: 'reasoning_text', text: '' } },
    { type: 'response.output_text.annotation.added', annotation: { type: 'url_citation' } },
    { refusal: 'no' },
    {},
  ),
);
const anyContent: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.string().map(text),
  fc.string().map(thought),
  fc
    .tuple(fc.nat(), anyName, anyJson)
    .map(([index, name, args]) => call(index, name === 'patch' ? 'read' : name, args)),
  fc.tuple(fc.nat(), fc.string()).map(([index, input]) => call(index, 'patch', { input })),
  anyOpaque.map(opaque),
  fc.constant(start),
  fc.constant(usage),
);
const anyEnd = fc.constantFrom(finish('stop'), finish('length'), finish('tool-calls'), done);

function answerOf(events: readonly TurnEvent[]): JsonObject {
  return JSON.parse(responsesAnswer(events, NO_FRAME, options())) as JsonObject;
}

/** What is the same however ids are counted. */
function unnamed(items: unknown): unknown {
  return JSON.parse(JSON.stringify(items).replace(/"(id|call_id)":"[^"]*"/g, '"$1":""'));
}

describe('any sequence of events', () => {
  test('is a stream in the right order, with the output of the whole answer', () => {
    fc.assert(
      fc.property(fc.array(anyContent), anyEnd, fc.boolean(), (content, end, isDone) => {
        const events = [...content, end, ...(isDone ? [done] : [])];
        const seen = writeTurn(events);
        const whole = answerOf(events);
        expect(seen.problems).toEqual([]);
        expect(unnamed(seen.output)).toEqual(unnamed(whole['output']));
        expect(seen.response['status']).toBe(whole['status']);
      }),
    );
  });

  test('is right even where events come in no order at all', () => {
    const eager = fc
      .tuple(
        fc.nat(2),
        fc.constantFrom('read', 'patch'),
        fc.constantFrom('call-start', 'call-delta', 'call-end'),
      )
      .map(([index, name, type]): TurnEvent => ({
        ...{ choice: 0, index, id: `call_${index}`, name, json: '{}' },
        type: type as 'call-start',
      }));
    const failed = fc.constant<TurnEvent>({
      type: 'error',
      error: { kind: 'timeout', message: 'late' },
    });
    const anyEvents = fc.array(fc.oneof(anyContent, eager, anyEnd, failed));
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { problems } = writeTurn(events);
        // What makes no sense as JSON was told in pieces by whoever made the events.
        const ours = problems.filter((problem) => !problem.startsWith('arguments that are no'));
        expect(ours).toEqual([]);
      }),
    );
  });

  test('reads back as it was told', () => {
    fc.assert(
      fc.property(fc.array(anyContent), (content) => {
        const writer = new ResponsesWriter(options());
        const events = [...content, finish('stop'), done];
        const stream = events.map((event) => writer.write([event], CHUNK)).join('');
        const frames = new ResponsesStreamReader().feed(Buffer.from(stream));
        const { output } = answerOf(events);
        const whole = readResponsesAnswer(JSON.stringify(answerOf(events)));
        const said = { object: 'response', output: output ?? null };
        for (const read of [frames.flatMap((frame) => frame.events), whole.events]) {
          const again = answerOf(toldFrom(read));
          expect(textsOf(again)).toEqual(textsOf(said));
        }
      }),
    );
  });

  test('passes as it came once it was written', () => {
    fc.assert(
      fc.property(fc.array(anyContent.filter(({ type }) => type !== 'call')), (content) => {
        const writer = new ResponsesWriter(options());
        const events = [...content, finish('stop'), done];
        const stream = events.map((event) => writer.write([event], CHUNK)).join('');
        const again = new ResponsesWriter(options());
        const frames = new ResponsesStreamReader().feed(Buffer.from(stream));
        const told = frames.map((frame) => again.write(toldFrom(frame.events), frame)).join('');
        expect(told).toBe(stream);
      }),
    );
  });

  test('is right wherever the writer stops to pass it on', () => {
    fc.assert(
      fc.property(fc.array(anyContent), fc.nat(60), (content, from) => {
        const writer = new ResponsesWriter(options());
        const events = [...content, finish('stop'), done];
        const stream = events.map((event) => writer.write([event], CHUNK)).join('');
        const again = new ResponsesWriter({ ...options(), nextId: counter() });
        const frames = new ResponsesStreamReader().feed(Buffer.from(stream));
        const names = new Map<number, string>();
        const told = frames.map((frame, at) => {
          const same = toldFrom(frame.events, names);
          return again.write(at < from ? same : same.map((event) => ({ ...event })), frame);
        });
        const seen = checkResponsesStream(told.join('') + again.end());
        expect(seen.problems).toEqual([]);
        expect(textsOf({ output: [...seen.output] })).toEqual(textsOf(answerOf(events)));
      }),
    );
  });
});

function counter(): (prefix: string) => string {
  let count = 0;
  return (prefix) => `${prefix}again_${++count}`;
}

/** What a reader of turns makes of events, calls told at once. */
function toldFrom(
  events: readonly UpstreamEvent[],
  names: Map<number, string> = new Map(),
): TurnEvent[] {
  const told: TurnEvent[] = [];
  for (const event of events) {
    if (event.type !== 'call-fragment') told.push(event);
    else {
      if (event.name !== undefined) names.set(event.slot, event.name);
      if (event.json !== undefined)
        told.push(
          call(event.slot, names.get(event.slot) ?? 'read', JSON.parse(event.json) as JsonObject),
        );
    }
  }
  return told;
}

/** What the items of a response say, all of one kind put together. */
function textsOf({ output }: JsonObject): unknown {
  const said = new Map<string, string>();
  const add = (kind: string, words: JsonValue | undefined): void => {
    if (typeof words === 'string' && words !== '') said.set(kind, (said.get(kind) ?? '') + words);
  };
  for (const item of listOf(output).filter(isObject)) {
    const type = textOf(item['type']);
    for (const part of [...listOf(item['summary']), ...listOf(item['content'])].filter(isObject))
      add(`${type} ${textOf(part['type'])}`, part['text'] ?? part['refusal']);
    add(type, item['arguments'] ?? item['input'] ?? '-');
  }
  return Object.fromEntries(said);
}
