import type { JsonObject } from '@holdfast/core';
import type { Answer } from './door.ts';

/** What a client was told of a tool call. */
export interface ToldCall {
  /** `ok`: it was done. `refused`: it was not sent. `failed`: it was, or may have been. `error`: of the protocol. */
  readonly how: 'ok' | 'refused' | 'failed' | 'error';
  /** The first text of the result, or the message of the error. */
  readonly text: string;
  readonly code?: number;
}

interface Message {
  readonly id?: number | string | null;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Words by which the gateway says that no server was asked. */
const NOT_SENT = /was not called|could not be started or reached|is not running \(|is closed/;

/** The answer to a request of JSON-RPC, plain or as the last event of a stream. Throws where there is none. */
export function readMessage({ status, headers, body }: Answer, id: number): Message {
  const isStream = (headers['content-type'] ?? '').includes('text/event-stream');
  const messages = isStream ? eventsOf(body) : [JSON.parse(body) as Message];
  const found = messages.find((message) => message.id === id) ?? messages.at(-1);
  if (found?.result === undefined && found?.error === undefined)
    throw new Error(`HTTP ${status} without an answer to request ${id}: ${body.slice(0, 300)}`);
  return found;
}

/** What the answer says of a tool call. */
export function readToldCall({ result, error }: Message): ToldCall {
  if (error !== undefined) {
    // A name that nobody has is refused by the gateway itself.
    return { how: 'error', text: error.message, code: error.code };
  }
  const { content, isError } = result as {
    readonly content: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
  const text = content[0]?.text ?? '';
  if (isError !== true) return { how: 'ok', text };
  return { how: NOT_SENT.test(text) ? 'refused' : 'failed', text };
}

function eventsOf(body: string): readonly Message[] {
  return body
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trim())
        .join(''),
    )
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data) as Message);
}
