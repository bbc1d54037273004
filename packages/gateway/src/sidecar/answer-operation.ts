import type { JsonObject } from '@holdfast/core';
import { InvalidOptionError } from '@holdfast/core/check';
import type { BodyLimit } from '../http/body-limit.ts';
import type { HttpHandler } from '../http/http-exchange.ts';
import { jsonHeaders, sendJson } from '../http/send-json.ts';
import { encodeJson } from '../proxy/json/large-json.ts';
import { readJsonBody } from '../proxy/read-json-body.ts';
import { checkBody, invalidBody } from './check-body.ts';
import type { Operation, OperationAnswer, OperationContext } from './operation.ts';

/** Answers requests for an operation: what does not fit its schema is refused by path, expected and received. */
export function answerOperation(operation: Operation, limit: () => BodyLimit): HttpHandler {
  return async (exchange) => {
    const { value } = await readJsonBody(exchange, limit());
    const answer = await run(
      operation,
      checkBody(operation.name, operation.takes, value),
      exchange,
    );
    const { body, status = 200, headers = {} } = answer;
    if (operation.takesModelText !== true) {
      sendJson(exchange.response, status, body, headers);
      return;
    }
    const bytes = await encodeJson(body);
    exchange.response.writeHead(status, jsonHeaders(bytes.length, headers)).end(bytes);
  };
}

async function run(
  operation: Operation,
  body: JsonObject,
  { id, log }: OperationContext,
): Promise<OperationAnswer> {
  try {
    return await operation.run(body, { id, log });
  } catch (error) {
    throw error instanceof InvalidOptionError ? invalidBody(error.message) : error;
  }
}
