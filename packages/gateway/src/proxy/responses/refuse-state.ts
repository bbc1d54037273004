import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Refused } from '../client-protocol.ts';
import { isObject, listOf } from '../json/json-fields.ts';
import { isReference } from './item-memory.ts';

/**
 * Refuses what only a server can answer that keeps conversations or prompts: neither is kept here, and no local
 * server would know what is meant. Undefined for a request that says everything itself.
 */
export function refuseState(request: JsonObject): Refused | undefined {
  const field = Object.keys(KEPT).find((name) => isAskedFor(request[name]));
  if (field !== undefined)
    return refused(field, `${KEPT[field] ?? ''}; expected the whole conversation in input`);
  const at = listOf(request['input']).findIndex((item) => isObject(item) && isReference(item));
  if (at < 0) return undefined;
  const why =
    'refers to an item that is not known here for this key and upstream; expected the item itself';
  return refused(`input[${at}]`, `${why} (with store: false, SDKs send it)`);
}

const KEPT: Readonly<Record<string, string>> = {
  previous_response_id: 'earlier answers are not kept here',
  conversation: 'conversations are not kept here',
  prompt: 'stored prompts are not kept here',
  background: 'answers are not kept here until they are fetched',
};

function isAskedFor(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== '';
}

function refused(param: string, why: string): Refused {
  return {
    ok: false,
    error: {
      kind: 'invalid-request',
      message: `${param}: ${why}`,
      details: { param, code: 'unsupported_parameter' },
    },
  };
}
