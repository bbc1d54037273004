import type { JsonObject } from '@holdfast/core';
import { createDefaultRegistry } from '@holdfast/core/parse';
import type { ToolDefinition } from '@holdfast/core';
import type { TurnEvent } from '../turn/turn-event.ts';
import { TurnReader } from '../turn/turn-reader.ts';
import type { UpstreamEvent, UpstreamFrame } from '../turn/upstream-event.ts';
import type { CallShape } from './call-shape.ts';
import { ChatWriter } from './chat-writer.ts';
import { ChatStreamReader } from './read-chat-stream.ts';

export const FALLBACK = { id: 'chatcmpl-made-up', model: 'asked-for', created: 9 } as const;

const TOOLS: readonly ToolDefinition[] = [{ name: 'f' }, { name: 'g' }];
/** Custom tools, which are offered without a schema. */
const CUSTOM_TOOLS = ['p', 'q', 'patch'];
const registry = createDefaultRegistry();

export function createTurnReader(eager = false): TurnReader {
  let count = 0;
  const nextId = (): string => `call_made_up_${count++}`;
  const offeredNames = (): readonly string[] => CUSTOM_TOOLS;
  const options = { tools: TOOLS, offeredNames, model: 'm', registry, nextId } as const;
  return new TurnReader({ ...options, callsInReasoning: 'if-unclosed', bareCalls: true, eager });
}

export function framesOf(stream: string): UpstreamFrame[] {
  const reader = new ChatStreamReader();
  return [...reader.feed(Buffer.from(stream)), ...reader.end()];
}

/** What a client gets of an upstream's stream. */
export function relay(stream: string, eager = false, shape: CallShape = 'tool_calls'): string {
  const reader = createTurnReader(eager);
  const writer = new ChatWriter(FALLBACK, shape);
  let text = '';
  for (const frame of framesOf(stream)) text += writer.write(reader.read(frame.events), frame);
  text += writer.write(reader.end(), { events: [], data: '', body: undefined });
  return text + writer.end();
}

/** An upstream's stream: chunks, and texts such as `[DONE]`. */
export function sse(...items: readonly unknown[]): string {
  return items
    .map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`)
    .join('');
}

export function chunk(delta: unknown, finish: string | null = null, more: object = {}): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'c1', object: 'chat.completion.chunk', created: 5, model: 'm', choices, ...more };
}

/** What a turn says in the end, put together by choice. */
export interface Content {
  text: string;
  reasoning: string;
  calls: string[];
  opaque: JsonObject[];
  finish: string;
}

/** Events of a turn, or of a stream as it is read back, where calls are still in fragments. */
export function contentOf(events: readonly (TurnEvent | UpstreamEvent)[]): Map<number, Content> {
  const contents = new Map<number, Content>();
  for (const event of events) {
    if (!('choice' in event)) continue;
    const empty = { text: '', reasoning: '', calls: [], opaque: [], finish: '' };
    const content = contents.get(event.choice) ?? empty;
    contents.set(event.choice, content);
    if (event.type === 'text') content.text += event.text;
    else if (event.type === 'reasoning') content.reasoning += event.text;
    else if (event.type === 'call')
      content.calls.push(`${event.call.id} ${event.call.name} ${event.call.json}`);
    else if (event.type === 'call-fragment') {
      const { slot, id, name, json } = event;
      const begun = content.calls[slot] ?? '';
      content.calls[slot] = `${begun} ${id ?? ''} ${name ?? ''} ${json ?? ''}`.trim();
    } else if (event.type === 'opaque') content.opaque.push(event.content);
    else if (event.type === 'finish') content.finish = event.reason;
  }
  return contents;
}

export function readTurn(frames: readonly UpstreamFrame[]): TurnEvent[] {
  const reader = createTurnReader();
  return [...frames.flatMap(({ events }) => reader.read(events)), ...reader.end()];
}
