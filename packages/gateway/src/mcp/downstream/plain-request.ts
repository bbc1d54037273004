import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { isObject, objectOf } from '../../proxy/json/json-fields.ts';
import { VERSION } from '../envelope-keys.ts';
import { isMessage } from '../is-message.ts';

/** The revisions whose rules are known here. */
const REVISIONS: ReadonlySet<unknown> = new Set(['2026-07-28']);

/** What is about the endpoint itself, or of another era. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'subscriptions/listen',
]);

/** Which parameter the header `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

export interface PlainRequest {
  readonly message: JSONRPCRequest;
  readonly revision: string;
}

/**
 * The modern request that a body is, if its headers repeat what it says, word for word. That is what nearly all
 * are, and it shows at once; the rest is left to the SDK, which looks closely and refuses in the protocol's words.
 */
export function plainRequest(
  body: unknown,
  headers: IncomingHttpHeaders,
): PlainRequest | undefined {
  if (!isMessage(body) || !('method' in body) || !('id' in body)) return undefined;
  const { method } = body;
  const params = objectOf(body.params);
  const meta = params['_meta'];
  const revision = isObject(meta) ? meta[VERSION] : undefined;
  if (typeof revision !== 'string' || !REVISIONS.has(revision)) return undefined;
  if (headers['mcp-protocol-version'] !== revision || headers['mcp-method'] !== method) {
    return undefined;
  }
  if (NOT_PASSED_ON.has(method) || method.startsWith('tasks/')) return undefined;
  const named = NAMED_BY.get(method);
  if (named !== undefined && headers['mcp-name'] !== params[named]) return undefined;
  return { message: body, revision };
}
