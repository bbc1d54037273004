import type { JsonObject } from '@holdfast/core';
import { isObject, objectOf } from '../../proxy/json/json-fields.ts';
import type { ClientIdentity } from '../upstream/connection.ts';

/**
 * Who a client says it is in its first message, so that the servers behind hear the same: what they offer may
 * depend on it.
 */
export function readClient(message: unknown): ClientIdentity | undefined {
  const params = objectOf(objectOf(message)['params']);
  const meta = objectOf(params['_meta']);
  const info = params['clientInfo'] ?? meta['io.modelcontextprotocol/clientInfo'];
  const capabilities = params['capabilities'] ?? meta['io.modelcontextprotocol/clientCapabilities'];
  if (!isObject(capabilities)) return undefined;
  const { roots } = capabilities;
  return {
    info: isInfo(info) ? info : { name: 'holdfast', version: '0' },
    // Servers ask for roots before the client can be asked, so they are told by us to ask again.
    capabilities: isObject(roots)
      ? { ...capabilities, roots: { ...roots, listChanged: true } }
      : capabilities,
  };
}

function isInfo(info: unknown): info is JsonObject & { name: string; version: string } {
  return isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string';
}
