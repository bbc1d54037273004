import type { JsonObject } from '@holdfast/core';
import type { AdvisedCall } from '@holdfast/core/advise';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';

/**
 * The call that the model made. Where there is no such tool, or its arguments are no JSON, opencode calls a tool of
 * its own, which is named here.
 */
export const INVALID_TOOL = 'invalid';

export function callOf(payload: JsonObject): AdvisedCall {
  const args = objectOf(payload['args']);
  const tool = textOf(payload['tool']);
  const meant = tool === INVALID_TOOL ? textOf(args['tool']) : '';
  const callID = textOf(payload['callID']);
  const messageID = textOf(payload['messageID']);
  return {
    tool: meant === '' ? tool : meant,
    // Of a call that could not be read, what is wrong with it tells it from others.
    arguments: meant === '' ? args : { error: textOf(args['error']) },
    // Servers of local models begin to count anew with each answer: only with the message is the id one of its own.
    ...(callID !== '' && { id: messageID === '' ? callID : `${messageID}/${callID}` }),
    ...(messageID !== '' && { round: messageID }),
  };
}
