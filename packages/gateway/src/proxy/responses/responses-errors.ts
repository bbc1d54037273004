import type { JsonObject } from '@holdfast/core';
import { chatError, chatErrorBody } from '../chat/chat-errors.ts';
import type { ErrorAnswer } from '../client-protocol.ts';
import { objectOf } from '../json/json-fields.ts';
import type { TurnError } from '../turn/turn-error.ts';

/** `{"error": {…}}` as in Chat Completions, naming the field of the request that is at fault where there is one. */
export function responsesError(error: TurnError): ErrorAnswer {
  return { ...chatError(error), body: errorBody(error) };
}

function errorBody(error: TurnError): JsonObject {
  const body = chatErrorBody(error);
  const { param, code } = objectOf(error.details);
  const said = objectOf(body['error']);
  return {
    error: {
      ...said,
      ...(typeof param === 'string' && { param }),
      ...(typeof code === 'string' && { code }),
    },
  };
}
