import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject } from '../proxy/json/json-fields.ts';

/**
 * Whether a value is a message of JSON-RPC 2.0. Only what tells one from anything else is looked at: schemas on
 * every message cost more than all the rest of the way.
 */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  const { method, id } = value;
  if (method !== undefined) return typeof method === 'string' && (id === undefined || isId(id));
  const { result, error } = value;
  if (result !== undefined) return isId(id) && isObject(result);
  // An error has no id where the request could not be read.
  if (!isObject(error) || !(isId(id) || id === undefined || id === null)) return false;
  return Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
