import type { JsonObject } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  SERVER_INFO,
  VERSION,
} from '../envelope-keys.ts';
import type { ClientView } from '../exchange.ts';
import { isId } from '../is-message.ts';
import { sameJson } from './same-json.ts';

/** What a modern request says of itself and its client, in its `_meta`. */
const ENVELOPE = [VERSION, CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL] as const;

/** Whether a call of a legacy client holds nothing that needs a closer look. */
export function isPlainLegacyCall(params: JsonObject): boolean {
  const { _meta: meta } = params;
  if (!isFirstLeg(params) || !hasPlainMeta(meta)) return false;
  return meta === undefined || ENVELOPE.every((key) => !(key in meta));
}

/**
 * The client of a modern connection. A client says with every request the same of itself: what the SDK has found good
 * once is good again, and any other is for the SDK to look at.
 */
export class KnownClient {
  #envelope: JsonObject | undefined;
  #client: ClientView | undefined;

  /** This is what a request said that the SDK let through. */
  learn(envelope: JsonObject, client: ClientView): void {
    this.#envelope = envelope;
    this.#client = client;
  }

  /** The client, where the call says of itself what it said before, and holds nothing that needs a closer look. */
  of(params: JsonObject): ClientView | undefined {
    const known = this.#envelope;
    const { _meta: meta } = params;
    if (known === undefined || !isFirstLeg(params) || !isObject(meta) || !hasPlainMeta(meta)) {
      return undefined;
    }
    return ENVELOPE.every((key) => sameJson(meta[key], known[key])) ? this.#client : undefined;
  }
}

/** A result as a modern client is to get it. */
export function modernResult(result: JsonObject, serverInfo: JsonObject): JsonObject {
  const { resultType = 'complete', _meta: meta } = result;
  if (meta !== undefined && !isObject(meta)) return { ...result, resultType };
  return { ...result, resultType, _meta: { [SERVER_INFO]: serverInfo, ...meta } };
}

/** Whether it is not a call that is repeated with what its client was asked for. */
function isFirstLeg(params: JsonObject): boolean {
  return params['inputResponses'] === undefined && params['requestState'] === undefined;
}

function hasPlainMeta(meta: unknown): meta is JsonObject | undefined {
  if (meta === undefined) return true;
  return isObject(meta) && (meta['progressToken'] === undefined || isId(meta['progressToken']));
}
