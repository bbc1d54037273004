import { checkToolCall } from '@holdfast/core/check';
import { createDefaultRegistry, parseToolCalls } from '@holdfast/core/parse';
import { readChatAnswer } from '../proxy/chat/read-chat-answer.ts';
import { ChatStreamReader } from '../proxy/chat/read-chat-stream.ts';
import type { TurnEvent } from '../proxy/turn/turn-event.ts';
import { TurnReader } from '../proxy/turn/turn-reader.ts';
import type { UpstreamEvent } from '../proxy/turn/upstream-event.ts';
import type { Probe } from './doctor-report.ts';
import { PROBE_TOOL } from './probe-request.ts';

const SHOWN_CHARACTERS = 600;
const TOOLS = [PROBE_TOOL];

/** Reads an answer to the request for a call, as the proxy would. */
export function readProbe(body: string, isStream: boolean, model: string): Probe {
  const events = isStream ? streamEvents(body) : readChatAnswer(body).events;
  let count = 0;
  const reader = new TurnReader({
    tools: TOOLS,
    model,
    registry: createDefaultRegistry(),
    callsInReasoning: 'if-unclosed',
    bareCalls: true,
    eager: false,
    nextId: () => `call_${++count}`,
  });
  const told = [...reader.read(events), ...reader.end()];
  const calls = told.flatMap((event) => (event.type === 'call' ? [event.call] : []));
  const text = textOf(events);
  const isNative = events.some((event) => event.type === 'call-fragment');
  const [first] = calls;
  return {
    readBy: first === undefined ? 'none' : first.format === 'native' ? 'server' : 'holdfast',
    calls,
    isValid: first !== undefined && checkToolCall(first, TOOLS, { fix: false }).ok,
    mended: isNative ? mendedIn(events, told) : [],
    finishReason: events.find((event) => event.type === 'finish')?.reason,
    text: text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text,
    explanation: parseToolCalls(text, { tools: TOOLS, model, explain: true }).explanation ?? [],
    failure: told.find((event) => event.type === 'error')?.error.message,
  };
}

function streamEvents(body: string): readonly UpstreamEvent[] {
  const reader = new ChatStreamReader();
  const frames = [...reader.feed(Buffer.from(body)), ...reader.end()];
  return frames.flatMap(({ events }) => events);
}

function textOf(events: readonly UpstreamEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

/** What was not right in the calls the server told. */
function mendedIn(events: readonly UpstreamEvent[], told: readonly TurnEvent[]): string[] {
  const calls = told.flatMap((event) => (event.type === 'call' ? [event.call] : []));
  const mended = new Set<string>(calls.flatMap(({ repairs }) => repairs));
  const finish = events.find((event) => event.type === 'finish')?.reason;
  if (calls.length > 0 && finish !== 'tool-calls')
    mended.add(`finish reason (${finish ?? 'none'})`);
  const ids = events.filter((event) => event.type === 'call-fragment' && event.id !== undefined);
  if (ids.length < calls.length) mended.add('missing id');
  return [...mended];
}
