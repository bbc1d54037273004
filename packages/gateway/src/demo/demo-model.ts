import type { JsonObject } from '@holdfast/core';
import { createParser } from 'eventsource-parser';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import type { DemoStory } from './demo-stories.ts';

/** A call as the client of a model gets it. */
export interface DemoCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A tool as MCP lists it. */
export interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Asks for a turn of chat, through the gateway, and returns the calls in it. */
export async function askModel(
  url: string,
  { model, protocol, stream, maxTokens = 500 }: DemoStory,
  messages: readonly JsonObject[],
  tools: readonly DemoTool[],
  signal: AbortSignal,
): Promise<readonly DemoCall[]> {
  const isChat = protocol === 'chat';
  const response = await fetch(`${url}/v1/${isChat ? 'chat/completions' : 'messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream,
      messages,
      max_tokens: maxTokens,
      tools: tools.map(({ name, description, inputSchema }) =>
        isChat
          ? { type: 'function', function: { name, description, parameters: inputSchema } }
          : { name, description, input_schema: inputSchema },
      ),
    }),
    signal,
  });
  const text = await response.text();
  if (!response.ok) return [];
  if (stream) return isChat ? chatCallsOf(eventsOf(text)) : messageCallsOf(eventsOf(text));
  const [choice] = listOf(objectOf(JSON.parse(text))['choices']);
  return listOf(objectOf(objectOf(choice)['message'])['tool_calls']).map(toCall);
}

function eventsOf(text: string): readonly JsonObject[] {
  const events: JsonObject[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') events.push(objectOf(JSON.parse(data)));
    },
  });
  parser.feed(text);
  return events;
}

/** Holdfast tells a call whole, in one piece. */
function chatCallsOf(events: readonly JsonObject[]): readonly DemoCall[] {
  return events
    .flatMap((event) => listOf(event['choices']))
    .flatMap((choice) => listOf(objectOf(objectOf(choice)['delta'])['tool_calls']))
    .map(toCall);
}

function messageCallsOf(events: readonly JsonObject[]): readonly DemoCall[] {
  const calls = new Map<unknown, { id: string; name: string; json: string }>();
  for (const { index, content_block, delta } of events) {
    const { type, id, name } = objectOf(content_block);
    if (type === 'tool_use') calls.set(index, { id: textOf(id), name: textOf(name), json: '' });
    const call = calls.get(index);
    if (call !== undefined) call.json += textOf(objectOf(delta)['partial_json']);
  }
  return [...calls.values()].map(({ id, name, json }) => ({ id, name, arguments: parse(json) }));
}

function toCall(call: unknown): DemoCall {
  const { id, function: called } = objectOf(call);
  const { name, arguments: args } = objectOf(called);
  return { id: textOf(id), name: textOf(name), arguments: parse(textOf(args)) };
}

function parse(json: string): JsonObject {
  return objectOf(JSON.parse(json === '' ? '{}' : json));
}
