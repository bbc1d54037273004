import type { JsonObject, ToolDefinition } from '@holdfast/core';
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
  /** Further fields of the request. */
  readonly fields?: JsonObject;
}

/** Sends a request as a client of this protocol does; the answer is not read yet. */
export async function sendTo(gateway: string, options: AskOptions): Promise<Response> {
  const { signal, fields } = options;
  const { path, body } = requestOf(options);
  return fetch(gateway + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...fields }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function requestOf({ protocol, model, tools, stream }: AskOptions): {
  readonly path: string;
  readonly body: object;
} {
  const messages = [{ role: 'user', content: 'Please look.' }];
  if (protocol === 'chat') {
    const offered = tools.map((tool) => ({ type: 'function', function: tool }));
    return { path: '/v1/chat/completions', body: { model, messages, stream, tools: offered } };
  }
  if (protocol === 'responses') {
    const offered = tools.map((tool) => ({ type: 'function', strict: false, ...tool }));
    return { path: '/v1/responses', body: { model, input: messages, stream, tools: offered } };
  }
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  const body = { model, messages, stream, tools: offered, max_tokens: 1000 };
  return { path: '/v1/messages', body };
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
