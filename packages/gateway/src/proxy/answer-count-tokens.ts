import type { BodyLimit } from '../http/body-limit.ts';
import type { HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { sendJson } from '../http/send-json.ts';
import { countTokens } from './count-tokens.ts';
import { readMessagesRequest } from './messages/read-messages-request.ts';
import { NORMALISE_DEFAULTS } from './normalise-rules.ts';
import { readJsonBody } from './read-json-body.ts';

/** Answers Anthropic's question what a request would cost, with an estimate: upstreams count in their own ways. */
export function answerCountTokens(limit: BodyLimit): HttpHandler {
  return async (exchange) => {
    const { value } = await readJsonBody(exchange, limit);
    const read = readMessagesRequest(value, NORMALISE_DEFAULTS);
    if (!read.ok) throw new RequestError(400, read.error.kind, read.error.message);
    const counted = { input_tokens: countTokens(read.request.body) };
    sendJson(exchange.response, 200, counted);
  };
}
