import type { JsonObject } from '../../types.ts';
import type { ToolResult } from './render-dialect.ts';

/** A result as one object, for dialects that have no keys of their own for it. */
export function jsonResult({ name, callId, content, isError = false }: ToolResult): JsonObject {
  return {
    name,
    ...(callId === undefined ? {} : { tool_call_id: callId }),
    ...(isError ? { is_error: true } : {}),
    content,
  };
}
