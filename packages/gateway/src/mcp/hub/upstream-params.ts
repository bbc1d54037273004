import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import { CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, VERSION } from '../envelope-keys.ts';
import type { ClientView } from '../exchange.ts';

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
  const meta = withoutHop(params['_meta']);
  if (era === 'modern') {
    meta[CLIENT_CAPABILITIES] = capabilities;
    if (info !== undefined) meta[CLIENT_INFO] = info;
    if (logLevel !== undefined) meta[LOG_LEVEL] = logLevel;
  }
  return { params: { ...params, _meta: meta }, meta };
}

/** What is said anew on each hop is left out. */
function withoutHop(meta: JsonValue | undefined): Record<string, JsonValue> {
  if (!isObject(meta)) return {};
  const {
    progressToken: _token,
    [VERSION]: _version,
    [CLIENT_INFO]: _info,
    [CLIENT_CAPABILITIES]: _capabilities,
    [LOG_LEVEL]: _level,
    ...rest
  } = meta;
  return rest;
}
