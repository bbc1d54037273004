import type { JsonObject } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { Exchange } from '../exchange.ts';
import { isInputRequired } from '../messages.ts';

/** A server that asks on and on is stopped here. */
const MAX_ROUNDS = 8;

/**
 * Gives a modern server what it asks for on behalf of a client that can only be asked the old way: asks the
 * client, and sends the request again with the answers, until the server is content.
 */
export async function fulfilInput(
  first: JsonObject,
  exchange: Exchange,
  send: (extra: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let reply = first;
  for (let round = 1; isInputRequired(reply); round++) {
    if (round > MAX_ROUNDS) {
      throw new Error(`the server asked for input ${MAX_ROUNDS} times and still is not content`);
    }
    const { inputRequests, requestState } = reply;
    const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const answers = await Promise.all(
      asked.map(async ([key, request]) => [key, await answer(request, exchange)] as const),
    );
    reply = await send({
      inputResponses: Object.fromEntries(answers),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return reply;
}

function answer(request: unknown, exchange: Exchange): Promise<JsonObject> {
  if (!isObject(request) || typeof request['method'] !== 'string') {
    throw new Error('the server asked for input without saying what for');
  }
  const { method, params } = request;
  return exchange.ask({ method, ...(isObject(params) && { params }) }, exchange.signal);
}
