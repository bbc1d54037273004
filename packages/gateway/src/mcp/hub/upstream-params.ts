import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { ClientView } from '../exchange.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Params that are ours, with what is written into their `_meta` on the way. */
export interface UpstreamParams {
  readonly params: JsonObject;
  readonly meta: Record<string, JsonValue>;
}

/**
 * The params of a request as the server is to see them. Progress is asked for anew on each hop. A modern server
 * hears with every request who asks and what it can be asked for: that is the client, not the gateway. Every call
 * comes through here, so that one object is made of them, and one of their `_meta`.
 */
export function upstreamParams(
  params: JsonObject,
  { capabilities, info, logLevel }: ClientView,
  era: 'legacy' | 'modern',
): UpstreamParams {
  const given = params['_meta'];
  const meta: Record<string, JsonValue> = isObject(given) ? { ...given } : {};
  if ('progressToken' in meta) delete meta['progressToken'];
  if (era === 'modern') {
    meta[CAPABILITIES] = capabilities;
    if (info !== undefined) meta[INFO] = info;
    if (logLevel !== undefined) meta[LOG_LEVEL] = logLevel;
  }
  return { params: { ...params, _meta: meta }, meta };
}
