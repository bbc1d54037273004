import type { JsonObject } from '@holdfast/core';
import { maskSecrets } from '@holdfast/core/advise';
import { checkToolCall, InvalidOptionError } from '@holdfast/core/check';
import type { HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { sendJson } from '../http/send-json.ts';
import { isObject } from '../proxy/json/json-fields.ts';
import { kindOf } from '../proxy/json/kind-of.ts';
import { readJsonBody } from '../proxy/read-json-body.ts';
import { ToolListError } from '../read-tool-list.ts';
import type { Operation, OperationAnswer, OperationContext } from './operation.ts';

/** Answers requests for an operation: what does not fit its schema is refused by path, expected and received. */
export function answerOperation(operation: Operation, maxBytes: () => number): HttpHandler {
  return async (exchange) => {
    const { value } = await readJsonBody(exchange, maxBytes());
    const answer = await run(operation, fitting(operation, value), exchange);
    sendJson(exchange.response, answer.status ?? 200, answer.body, answer.headers);
  };
}

/** A body is held against its schema as the arguments of a tool are. Nothing in it is set right: programs wrote it. */
function fitting({ name, takes }: Operation, body: unknown): JsonObject {
  if (!isObject(body)) throw invalid(`the body: expected a JSON object, got ${kindOf(body)}`);
  const call = { name, arguments: body };
  const checked = checkToolCall(call, [{ name, parameters: takes }], { fix: false });
  if (checked.ok) return body;
  // What is wrong is quoted, also in the log, and it may stand where headers do.
  throw invalid(maskSecrets(checked.issues.map(({ message }) => message).join('; ')));
}

async function run(
  operation: Operation,
  body: JsonObject,
  { log }: OperationContext,
): Promise<OperationAnswer> {
  try {
    return await operation.run(body, { log });
  } catch (error) {
    const isTheirs = error instanceof ToolListError || error instanceof InvalidOptionError;
    throw isTheirs ? invalid(error.message) : error;
  }
}

function invalid(message: string): RequestError {
  return new RequestError(400, 'invalid-request', message);
}
