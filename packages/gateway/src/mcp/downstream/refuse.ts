import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@holdfast/core';
import { sendJson } from '../../http/send-json.ts';

/** Where the protocol has no code of its own. */
const SERVER_ERROR = -32_000;

/** Refuses a whole HTTP request, of which no request of JSON-RPC could be read. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = SERVER_ERROR,
): void {
  sendJson(response, status, refusal(message, code));
}

/** What says that no request of JSON-RPC could be read. */
export function refusal(message: string, code: number): JsonObject {
  return { jsonrpc: '2.0', error: { code, message }, id: null };
}
