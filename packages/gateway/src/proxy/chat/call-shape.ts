import type { JsonObject } from '@holdfast/core';
import { listOf } from '../json/json-fields.ts';

/** How a client wants to be told of calls: as a list, or as the one that there could be before. */
export type CallShape = 'tool_calls' | 'function_call';

/** A client that offers `functions` knows no `tool_calls`. */
export function callShapeOf(request: JsonObject): CallShape {
  const isOlder = listOf(request['functions']).length > 0 && listOf(request['tools']).length === 0;
  return isOlder ? 'function_call' : 'tool_calls';
}
