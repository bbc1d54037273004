import type { ToolDefinition } from '@holdfast/core';
import { readToldBody, readToldStream } from './read-told.ts';
import type { Told } from './read-told.ts';
import type { Protocol } from './scripted-model.ts';

/** What a client is told of a turn, and how. */
export interface ToldTurn extends Told {
  readonly status: number;
  readonly headers: Headers;
}

export interface AskOptions {
  readonly protocol: Protocol;
  readonly model: string;
  readonly tools: readonly ToolDefinition[];
  readonly stream: boolean;
  readonly signal?: AbortSignal;
}

/** Sends a request as a client of this protocol does; the answer is not read yet. */
export async function sendTo(gateway: string, options: AskOptions): Promise<Response> {
  const { protocol, model, tools, stream, signal } = options;
  const messages = [{ role: 'user', content: 'Please look.' }];
  const chatTools = tools.map((tool) => ({ type: 'function', function: tool }));
  const messageTools = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  const body =
    protocol === 'chat'
      ? { model, messages, stream, tools: chatTools }
      : { model, messages, stream, tools: messageTools, max_tokens: 1000 };
  const path = protocol === 'chat' ? '/v1/chat/completions' : '/v1/messages';
  return fetch(gateway + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Asks, and reads the answer to its end. */
export async function askGateway(gateway: string, options: AskOptions): Promise<ToldTurn> {
  const response = await sendTo(gateway, options);
  const body = await response.text();
  const { status, headers } = response;
  const isStream = (headers.get('content-type') ?? '').includes('text/event-stream');
  const told = isStream
    ? readToldStream(options.protocol, body)
    : readToldBody(options.protocol, body);
  return { status, headers, ...told };
}

/** A failure that the client can see: neither a reason to go on nor an end. */
export const isFailure = ({ error, finish, status, isDone }: ToldTurn): boolean =>
  error !== undefined && error.message !== '' && finish === undefined && (status >= 500 || !isDone);
