import { createDefaultRegistry } from '@holdfast/core/parse';
import { WireEventReader } from '../../packages/core/src/adapters/wire/wire-event-reader.ts';
import { SPEECHES } from '../../packages/gateway/src/proxy/speeches.ts';
import { SseReader } from '../../packages/gateway/src/proxy/sse-reader.ts';
import type { SseItem } from '../../packages/gateway/src/proxy/sse-reader.ts';
import type { TurnEvent } from '../../packages/gateway/src/proxy/turn/turn-event.ts';
import type { ChoiceOptions } from '../../packages/gateway/src/proxy/turn/choice-reader.ts';
import { TurnReader } from '../../packages/gateway/src/proxy/turn/turn-reader.ts';
import type { UpstreamFrame } from '../../packages/gateway/src/proxy/turn/upstream-event.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { SeededRandom } from '../loop/seeded-random.ts';
import { OFFERED } from './reading-laws.ts';

const SMALL_EVENT = 24;

/** Server-sent events as they come from upstreams, cut at any byte. */
export const sseTarget: FuzzTarget = {
  name: 'sse',
  seeds: [
    ': ping\n\nevent: error\ndata: a\ndata: b\n\ndata:c\n\n',
    'data: {"a":"é😀"}\r\n\r\ndata: [DONE]\r\n\r\n',
    '\uFEFFid: 1\rretry: 5\rdata\r\rodd line\n\ndata: cut',
  ].map((text) => ({ text, choice: 0 })),
  words: [
    'data: ',
    'data',
    'event: ',
    'id: ',
    'retry: 1',
    ': ',
    '\r\n',
    '\r',
    '\n\n',
    '\uFEFF',
    '[DONE]',
  ],
  sources: ['packages/gateway/src/proxy/sse-reader.ts', 'packages/core/src/adapters/wire/'],
  run: ({ text, choice }) => {
    const choices = new Choices(choice);
    const isUtf8 = choices.below(4) > 0;
    const limit = choices.below(4) === 3 ? SMALL_EVENT : undefined;
    const bytes = Buffer.from(text, isUtf8 ? 'utf8' : 'latin1');
    const wanted = JSON.stringify(readSse([bytes], limit));
    expectSame(
      'events are the same however the bytes are cut',
      JSON.stringify(readSse(cutBytes(bytes, choices), limit)),
      wanted,
    );
    if (isUtf8 && limit === undefined) checkWireReader(text, choices, wanted);
  },
  readOnce: (text) => void readSse([Buffer.from(text)], undefined),
};

function readSse(chunks: readonly Uint8Array[], limit: number | undefined): SseItem[] {
  const reader = new SseReader(limit);
  return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()];
}

/** The adapters' reader has no bytes and no packages, and tells the same events, as far as they are whole. */
function checkWireReader(text: string, choices: Choices, sse: string): void {
  const random = new SeededRandom(choices.rest);
  const cut = text.length === 0 ? 0 : random.below(text.length);
  const whole = JSON.stringify(readWire([text]));
  const cutUp = JSON.stringify(readWire([text.slice(0, cut), text.slice(cut)]));
  expectSame('events are the same however the text is cut', cutUp, whole);
  expectTrue('events are told', sse.length >= 2, () => sse);
}

function readWire(chunks: readonly string[]): unknown[] {
  const reader = new WireEventReader();
  return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()];
}

function cutBytes(bytes: Uint8Array, choices: Choices): Uint8Array[] {
  if (choices.below(4) === 0) return [...bytes].map((byte) => Uint8Array.of(byte));
  const random = new SeededRandom(choices.rest);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random.below(9);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const sse = (...items: readonly unknown[]): string =>
  items
    .map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`)
    .join('');

const named = (...items: readonly { readonly type: string }[]): string =>
  items.map((item) => `event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`).join('');

const CALL = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } };

const STREAMS = {
  chat: [
    sse(
      { id: 'c', model: 'm', choices: [{ index: 0, delta: { content: 'Hi <tool_call>' } }] },
      { id: 'c', choices: [{ index: 0, delta: { tool_calls: [CALL] } }] },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      '[DONE]',
    ),
    JSON.stringify({
      id: 'c',
      choices: [{ message: { content: 'x', tool_calls: [CALL] }, finish_reason: 'stop' }],
    }),
    sse({ error: { message: 'busy', code: 503 } }),
  ],
  messages: [
    named(
      {
        type: 'message_start',
        ...{ message: { id: 'm', model: 'x', usage: { input_tokens: 1 } } },
      },
      {
        type: 'content_block_start',
        ...{ index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
      },
      {
        type: 'content_block_delta',
        ...{ index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      },
      { type: 'content_block_stop', ...{ index: 0 } },
      {
        type: 'message_delta',
        ...{ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
      },
      { type: 'message_stop' },
    ),
    JSON.stringify({
      id: 'm',
      type: 'message',
      content: [{ type: 'text', text: 'x' }],
      stop_reason: 'end_turn',
    }),
  ],
  responses: [
    named(
      { type: 'response.created', ...{ response: { id: 'r', model: 'x', output: [] } } },
      {
        type: 'response.output_item.added',
        ...{
          output_index: 0,
          item: { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '' },
        },
      },
      {
        type: 'response.function_call_arguments.delta',
        ...{ output_index: 0, item_id: 'i', delta: '{"a":1}' },
      },
      {
        type: 'response.output_item.done',
        ...{
          output_index: 0,
          item: { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        },
      },
      { type: 'response.completed', ...{ response: { id: 'r', status: 'completed', output: [] } } },
    ),
    JSON.stringify({
      id: 'r',
      object: 'response',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }],
    }),
  ],
} as const;

const WORDS = [
  '"choices"',
  '"delta"',
  '"index"',
  '"type"',
  '"content"',
  'null',
  '[]',
  '{}',
  'data: ',
  '\n\n',
  'event: ',
];

/** Answers of upstreams in each protocol: streamed, cut at any byte, and whole. */
export const upstreamTargets: readonly FuzzTarget[] = (
  ['chat', 'messages', 'responses'] as const
).map((protocol) => ({
  name: `upstream-${protocol}`,
  maxLength: 1500,
  seeds: STREAMS[protocol].map((text) => ({ text, choice: 0 })),
  words: WORDS,
  sources: [`packages/gateway/src/proxy/${protocol}`, 'packages/gateway/src/proxy/turn/'],
  run: ({ text, choice }) => {
    const choices = new Choices(choice);
    const eager = choices.flag();
    const reasoningStart = {
      startsInReasoning: choices.of<boolean | 'auto'>('auto', false, true),
      isAssumed: choices.flag(),
    };
    const bytes = Buffer.from(text);
    const speech = SPEECHES[protocol];
    const read = (chunks: readonly Uint8Array[]): UpstreamFrame[] => {
      const reader = speech.createReader();
      return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()];
    };
    const frames = read([bytes]);
    expectSame(
      'frames are the same however the bytes are cut',
      JSON.stringify(read(cutBytes(bytes, choices))),
      JSON.stringify(frames),
    );
    checkTurn(frames, { eager, reasoningStart });
    checkTurn([speech.readAnswer(text)], { eager, reasoningStart });
  },
}));

const NO_CALL: { readonly name?: string } = {};
const registry = createDefaultRegistry({ clock: { now: () => 0 } });

/** A turn ends in a finish for every choice or in an error, never in both and never in neither. */
function checkTurn(
  frames: readonly UpstreamFrame[],
  options: Pick<ChoiceOptions, 'eager' | 'reasoningStart'>,
): void {
  const reader = new TurnReader({
    tools: OFFERED,
    model: 'm',
    registry,
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    nextId: () => 'id',
    ...options,
  });
  const events = [...frames.flatMap((frame) => reader.read(frame.events)), ...reader.end()];
  for (const event of events) {
    const { name } =
      event.type === 'call' ? event.call : event.type === 'call-start' ? event : NO_CALL;
    const isOffered = name === undefined || OFFERED.some((tool) => tool.name === name);
    expectTrue('only offered tools are called', isOffered, () => String(name));
  }
  const hasBlank = hasBlankBetweenCalls(events);
  expectTrue('no blank text is between calls', !hasBlank, () => JSON.stringify(events));
  const errors = events.filter(({ type }) => type === 'error').length;
  const finishes = events.filter(({ type }) => type === 'finish').length;
  const told = (): string => JSON.stringify(events.map(({ type }) => type));
  expectTrue('a turn fails once at most', errors <= 1, told);
  expectTrue(
    'nothing is told behind an error',
    errors === 0 || events.at(-1)?.type === 'error',
    told,
  );
  const choices = new Set(events.flatMap((event) => ('choice' in event ? [event.choice] : [])));
  expectTrue('a turn ends', errors === 1 || finishes >= choices.size, told);
}

/** A text that is longer than the reader keeps back may be blank. */
const MOST_BLANK = 1024;

function hasBlankBetweenCalls(events: readonly TurnEvent[]): boolean {
  const texts = new Map<number, string>();
  for (const event of events) {
    if (!('choice' in event)) continue;
    const { choice, type } = event;
    const before = texts.get(choice);
    if (type === 'text' && before !== undefined) texts.set(choice, before + event.text);
    if (type !== 'call' && type !== 'call-start') continue;
    if (before !== undefined && isBlank(before)) return true;
    texts.set(choice, '');
  }
  return false;
}

function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '' && text.length < MOST_BLANK;
}
