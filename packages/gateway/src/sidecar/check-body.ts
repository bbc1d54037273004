import type { JsonObject } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import { RequestError } from '../http/request-error.ts';
import { isObject } from '../proxy/json/json-fields.ts';
import { kindOf } from '../proxy/json/kind-of.ts';

/**
 * A body that fits its schema; else a `RequestError` that says what does not, by path, expected and received. It is
 * held against it as the arguments of a tool are, but nothing in it is set right: programs wrote it.
 */
export function checkBody(name: string, takes: JsonObject, body: unknown): JsonObject {
  if (!isObject(body)) throw invalidBody(`the body: expected a JSON object, got ${kindOf(body)}`);
  const call = { name, arguments: body };
  const checked = checkToolCall(call, [{ name, parameters: takes }], { fix: false });
  if (checked.ok) return body;
  throw invalidBody(checked.issues.map(({ message }) => message).join('; '));
}

export function invalidBody(message: string): RequestError {
  return new RequestError(400, 'invalid-request', message);
}
