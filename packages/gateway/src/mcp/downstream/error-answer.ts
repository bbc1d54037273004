import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../protocol-fault.ts';

/** What earlier revisions called a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

/** What a client is answered whose request failed: the error of the protocol, or what went wrong within. */
export function errorAnswer(id: RequestId, error: unknown): JSONRPCErrorResponse {
  const { code: given, message, data } = objectOf(error);
  const code = Number.isSafeInteger(given) ? (given as number) : INTERNAL_ERROR;
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: code === RESOURCE_NOT_FOUND ? INVALID_PARAMS : code,
      message: typeof message === 'string' ? message : 'Internal error',
      ...(data !== undefined && { data }),
    },
  };
}
