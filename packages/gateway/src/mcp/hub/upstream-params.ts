import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { ClientView } from '../exchange.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/**
 * The params of a request as the server is to see them. Progress is asked for anew on each hop. A modern server
 * hears with every request who asks and what it can be asked for: that is the client, not the gateway.
 */
export function upstreamParams(
  params: JsonObject,
  client: ClientView,
  era: 'legacy' | 'modern',
): JsonObject {
  const given = isObject(params['_meta']) ? params['_meta'] : undefined;
  if (era === 'legacy' && given?.['progressToken'] === undefined) return params;
  const all: Record<string, JsonValue> =
    era === 'modern' ? { ...given, ...envelope(client) } : { ...given };
  // Whoever asks for progress on this hop puts a token of its own there.
  if ('progressToken' in all) delete all['progressToken'];
  const sent: Record<string, JsonValue> = { ...params, _meta: all };
  if (Object.keys(all).length === 0) delete sent['_meta'];
  return sent;
}

function envelope({ capabilities, info, logLevel }: ClientView): JsonObject {
  return {
    [CAPABILITIES]: capabilities,
    ...(info !== undefined && { [INFO]: info }),
    ...(logLevel !== undefined && { [LOG_LEVEL]: logLevel }),
  };
}
