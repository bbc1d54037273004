import type { JsonObject } from '@holdfast/core';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { isInputRequired } from '../messages.ts';

/** A result of a legacy server, to which the kinds of results mean nothing. */
export function readLegacyResult(result: JsonObject): JsonObject {
  return 'resultType' in result ? withoutType(result) : result;
}

/** A result of a modern server, which says of what kind it is; whole ones without that. Throws where it is of none. */
export function readModernResult(result: JsonObject): JsonObject {
  const { resultType } = result;
  if (resultType === 'complete') return withoutType(result);
  if (!isInputRequired(result)) {
    if (typeof resultType === 'string')
      throw new SdkError(
        SdkErrorCode.UnsupportedResultType,
        `Unsupported result type '${resultType}' for tools/call`,
      );
    throw invalid('missing required resultType');
  }
  const { inputRequests, requestState } = result;
  const asksNothing = Object.keys(objectOf(inputRequests)).length === 0;
  if (asksNothing && typeof requestState !== 'string')
    throw invalid('input_required carries neither inputRequests nor requestState');
  return result;
}

function withoutType({ resultType: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function invalid(why: string): SdkError {
  return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${why}`);
}
