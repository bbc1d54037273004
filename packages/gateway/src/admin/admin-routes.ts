import type { JsonObject } from '@holdfast/core';
import type { BodyLimit } from '../http/body-limit.ts';
import type { HttpExchange, Route } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { sendJson } from '../http/send-json.ts';
import { readJsonBody } from '../proxy/read-json-body.ts';
import { checkBody } from '../sidecar/check-body.ts';
import type { AdminOperation } from './admin-operation.ts';
import { readQuery } from './read-query.ts';

/** The routes of operations. Those whose paths begin alike, up to a part that has a name, share one. */
export function adminRoutes(
  operations: readonly AdminOperation[],
  limit: () => BodyLimit,
): readonly Route[] {
  const shared = new Map<string, AdminOperation[]>();
  for (const operation of operations) {
    const key = `${operation.method} ${routePath(operation.path)}`;
    shared.set(key, [...(shared.get(key) ?? []), operation]);
  }
  return [...shared].map(([key, alike]) => {
    const [method = '', path = ''] = key.split(' ');
    return {
      method,
      path,
      isOpen: alike.every((operation) => operation.isOpen === true),
      handle: (exchange) => answer(alike, exchange, limit()),
    };
  });
}

/** What a route can tell apart: `/api/v1/circuits/*`. */
function routePath(path: string): string {
  const at = path.indexOf('{');
  return at < 0 ? path : `${path.slice(0, at)}*`;
}

async function answer(
  operations: readonly AdminOperation[],
  exchange: HttpExchange,
  limit: BodyLimit,
): Promise<void> {
  for (const operation of operations) {
    const path = partsOf(operation.path, exchange.path);
    if (path === undefined) continue;
    const query = readQuery(exchange.query, operation.query);
    const body = await readBody(operation, exchange, limit);
    const given = await operation.run({ path, query, body, exchange });
    // What is told of now is wrong a moment later.
    if (given !== undefined)
      sendJson(exchange.response, 200, given, { 'cache-control': 'no-store' });
    return;
  }
  throw new RequestError(404, 'not-found', `there is no ${exchange.path} here`);
}

/** A body has to be there, as JSON: without one, no web page would have to ask before it sends. */
async function readBody(
  { method, id, takes }: AdminOperation,
  exchange: HttpExchange,
  limit: BodyLimit,
): Promise<JsonObject> {
  if (method === 'GET' || takes === undefined) return {};
  return checkBody(id, takes, (await readJsonBody(exchange, limit)).value);
}

/** The parts of a path that have names; undefined where it is another path. */
function partsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, word] of wanted.entries()) {
    const part = given[index] ?? '';
    if (word.startsWith('{')) parts[word.slice(1, -1)] = decoded(part);
    else if (word !== part) return undefined;
  }
  return parts;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    const message = `the path has a part that is not percent-encoded as it should be: ${part}`;
    throw new RequestError(400, 'invalid-request', message);
  }
}
