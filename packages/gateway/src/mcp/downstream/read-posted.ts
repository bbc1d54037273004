import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { isMessage } from '../is-message.ts';

const MAX_BATCH = 100;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Why a POST is refused as a whole. */
export interface PostedProblem {
  readonly code: number;
  readonly problem: string;
}

/** What a legacy client sends in one POST. */
export interface Posted {
  readonly messages: readonly JSONRPCMessage[];
  /** Of the requests among them. */
  readonly ids: ReadonlySet<RequestId>;
  readonly isHandshake: boolean;
  readonly problem?: undefined;
}

export function readPosted(body: unknown): Posted | PostedProblem {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_BATCH) {
    return invalid(`Batch must not exceed ${MAX_BATCH} messages`);
  }
  if (messages.length === 0 || !messages.every(isMessage)) {
    return { code: PARSE_ERROR, problem: 'Parse error: Invalid JSON-RPC message' };
  }
  const requests = messages.flatMap((each) => ('method' in each && 'id' in each ? [each] : []));
  const ids = new Set(requests.map(({ id }) => id));
  if (ids.size < requests.length) return invalid('two requests have the same id');
  const isHandshake = requests.some(({ method }) => method === 'initialize');
  if (isHandshake && messages.length > 1) {
    return invalid('Only one initialization request is allowed');
  }
  return { messages, ids, isHandshake };
}

export function invalid(why: string): PostedProblem {
  return { code: INVALID_REQUEST, problem: `Invalid Request: ${why}` };
}
