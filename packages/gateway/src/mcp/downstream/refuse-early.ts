import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@holdfast/core';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import { checkArguments } from '../call/check-arguments.ts';
import { findHeaderMismatch } from '../param-headers.ts';
import { METHOD_NOT_FOUND } from '../protocol-fault.ts';

/** Headers and body disagree, in the words of the protocol. */
const HEADER_MISMATCH = -32_020;

/** What the protocol knows, in either era; what one of them lacks is for the SDK to refuse. */
const METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
]);

/** An answer before anything is asked of a server. */
export interface EarlyRefusal {
  readonly status: number;
  readonly error: JsonObject;
}

/**
 * What a modern request over HTTP has to be refused for by its HTTP status. Of a gateway, which leaves methods and
 * schemas to the servers behind it, the SDK does not know.
 */
export async function refuseEarly(
  body: JsonObject,
  headers: IncomingHttpHeaders,
  hub: McpHub,
): Promise<EarlyRefusal | undefined> {
  const method = textOf(body['method']);
  if (!METHODS.has(method) && !method.startsWith('notifications/')) {
    const message = `Method not found: ${method}`;
    return { status: 404, error: { code: METHOD_NOT_FOUND, message } };
  }
  if (method !== 'tools/call') return undefined;
  const params = objectOf(body['params']);
  const found = await hub.catalog.tool(textOf(params['name']));
  if (found === undefined) return undefined;
  const { name, inputSchema } = found.tool;
  const read = checkArguments(params['arguments'] ?? {}, { name }, false);
  // The call itself is answered with what is wrong with its arguments.
  if (!read.ok) return undefined;
  const mismatch = findHeaderMismatch(
    inputSchema,
    read.args,
    (header) => [headers[header]].flat()[0],
  );
  if (mismatch === undefined) return undefined;
  const message = `Bad Request: the request headers and body disagree: ${mismatch.header}: ${mismatch.body}`;
  return { status: 400, error: { code: HEADER_MISMATCH, message, data: { mismatch } } };
}
