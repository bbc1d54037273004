import type { JsonObject, ToolCall } from '@holdfast/core';
import type { ParseIssue } from '@holdfast/core/parse';

/** A call in the words of the API. */
export function callJson(call: ToolCall): JsonObject {
  const { id, name, arguments: args, format, repairs, complete, lossy } = call;
  return { id, name, arguments: args, format, repairs: [...repairs], complete, lossy };
}

/** An issue in the words of the API. */
export function issueJson({ code, message, offset, parser, callId }: ParseIssue): JsonObject {
  return {
    code,
    message,
    offset,
    ...(parser !== undefined && { parser }),
    ...(callId !== undefined && { call_id: callId }),
  };
}
