import type { JsonObject } from '@holdfast/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';
import { messagesAnswer } from './messages-answer.ts';
import {
  call,
  CHUNK,
  done,
  finish,
  NO_FRAME,
  OPTIONS,
  start,
  text,
  thought,
  usage,
  writeTurn,
} from './messages-turn.case.ts';
import { MessagesWriter } from './messages-writer.ts';
import { readMessagesAnswer } from './read-messages-answer.ts';
import { MessagesStreamReader } from './read-messages-stream.ts';

const START = 'content_block_start';
const DELTA = 'content_block_delta';

const anyJson = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null)));
const anyContent: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.string().map(text),
  fc.string().map(thought),
  fc
    .tuple(fc.nat(), fc.string({ minLength: 1 }), anyJson)
    .map(([index, name, args]) => call(index, name, args)),
  fc
    .constantFrom(
      { type: START, content_block: { type: 'redacted_thinking', data: 'x' } },
      { type: START, content_block: { type: 'text', text: '', citations: [] } },
      { type: DELTA, delta: { type: 'signature_delta', signature: 's' } },
      { type: DELTA, delta: { type: 'citations_delta', citation: { cited_text: 'x' } } },
      { type: DELTA, delta: { type: 'of_the_future' } },
      { refusal: 'no' },
      {},
    )
    .map((content) => ({ type: 'opaque' as const, choice: 0, content })),
  fc.constant(start),
  fc.constant(usage),
);
const anyEnd = fc.constantFrom(finish('stop'), finish('length'), finish('tool-calls'), done);

describe('any sequence of events', () => {
  test('is a stream in the right order, with the content of the whole answer', () => {
    fc.assert(
      fc.property(fc.array(anyContent), anyEnd, fc.boolean(), (content, end, isDone) => {
        const events = [...content, end, ...(isDone ? [done] : [])];
        const seen = writeTurn(events);
        const whole = messagesAnswer(events, NO_FRAME, OPTIONS);
        expect(seen.problems).toEqual([]);
        expect(seen.content).toEqual(whole['content']);
        expect(seen.stopReason).toBe(whole['stop_reason']);
      }),
    );
  });

  test('is right even where events come in no order at all', () => {
    const eager = fc
      .tuple(fc.nat(2), fc.constantFrom('call-start', 'call-delta', 'call-end'))
      .map(([index, type]): TurnEvent => ({
        ...{ choice: 0, index, id: `toolu_${index}`, name: 'x', json: '{}' },
        type: type as 'call-start',
      }));
    const failed = fc.constant<TurnEvent>({
      type: 'error',
      error: { kind: 'timeout', message: 'late' },
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(anyContent, eager, anyEnd, failed)), (events) => {
        expect(writeTurn(events).problems).toEqual([]);
      }),
    );
  });

  test('reads back as it was told', () => {
    fc.assert(
      fc.property(fc.array(anyContent), (content) => {
        const writer = new MessagesWriter(OPTIONS);
        const events = [...content, finish('stop'), done];
        const stream = events.map((event) => writer.write([event], CHUNK)).join('');
        const frames = new MessagesStreamReader().feed(Buffer.from(stream));
        const whole = messagesAnswer(events, NO_FRAME, OPTIONS);
        const again = readMessagesAnswer(JSON.stringify(whole));
        expect(contentOf(frames)).toEqual(whole['content']);
        expect(contentOf([again])).toEqual(whole['content']);
      }),
    );
  });
});

/** What was read, put together again, with the calls as they are. */
function contentOf(frames: readonly UpstreamFrame[]): unknown {
  const told: TurnEvent[] = [];
  const ids = new Map<string | undefined, string>();
  for (const event of frames.flatMap(({ events }) => events)) {
    if (event.type !== 'call-fragment') {
      told.push(event);
      continue;
    }
    if (event.id !== undefined) ids.set(`toolu_${event.slot}`, event.id);
    if (event.json === undefined) told.push(call(event.slot, event.name, {}));
    else told.push(call(event.slot, toldName(told.pop()), JSON.parse(event.json) as JsonObject));
  }
  const { content } = messagesAnswer(told, NO_FRAME, OPTIONS) as { content: { id?: string }[] };
  return content.map((block) =>
    block.id === undefined ? block : { ...block, id: ids.get(block.id) },
  );
}

function toldName(event: TurnEvent | undefined): string {
  return event?.type === 'call' ? event.call.name : '';
}
