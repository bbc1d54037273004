import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { kindOf } from '../proxy/json/kind-of.ts';
import type { PluginResult, PluginViolation } from './plugin.ts';

/** Reads the payload a plugin gives back; throws where it is none. */
export type ReadPayload<Payload> = (written: JsonObject, given: Payload) => Payload;

/** Reads what somebody's plugin answered. Throws a `TypeError` that says what was expected. */
export function readPluginResult<Payload>(
  answer: unknown,
  given: Payload,
  readPayload: ReadPayload<Payload>,
): PluginResult<Payload> | undefined {
  if (answer === undefined || answer === null) return undefined;
  const written = asJson(answer);
  if (!isObject(written))
    throw new TypeError(`expected an object or nothing as its answer, got ${kindOf(answer)}`);
  const { continue_processing, modified_payload, violation, metadata, retry_delay_ms } = written;
  if (continue_processing !== undefined && typeof continue_processing !== 'boolean')
    throw new TypeError(
      `continue_processing: expected a boolean, got ${kindOf(continue_processing)}`,
    );
  const isDelay = typeof retry_delay_ms === 'number' && retry_delay_ms >= 0;
  if (!isAbsent(retry_delay_ms) && !isDelay)
    throw new TypeError(
      `retry_delay_ms: expected milliseconds, got ${JSON.stringify(retry_delay_ms)}`,
    );
  return {
    ...(continue_processing === undefined ? {} : { continue_processing }),
    ...(isAbsent(modified_payload)
      ? {}
      : { modified_payload: readPayload(sectionIn(modified_payload, 'modified_payload'), given) }),
    ...(isAbsent(violation) ? {} : { violation: readViolation(sectionIn(violation, 'violation')) }),
    ...(isAbsent(metadata) ? {} : { metadata: sectionIn(metadata, 'metadata') }),
    ...(isDelay ? { retry_delay_ms } : {}),
  };
}

/** Where a plugin says no more than that a call must stop. */
export const UNEXPLAINED: PluginViolation = Object.freeze({
  reason: 'Stopped by a plugin',
  description: 'A plugin stopped this call and gave no reason.',
  code: 'PLUGIN_VIOLATION',
  details: Object.freeze({}),
});

function readViolation(written: JsonObject): PluginViolation {
  const { http_status_code: status, http_headers: headers } = written;
  const texts = Object.entries(objectOf(headers)).filter(isTextEntry);
  return {
    reason: textOf(written['reason']) || UNEXPLAINED.reason,
    description:
      textOf(written['description']) || textOf(written['reason']) || UNEXPLAINED.description,
    code: textOf(written['code']) || UNEXPLAINED.code,
    details: objectOf(written['details']),
    ...(typeof status === 'number' && status >= 400 && status <= 599
      ? { http_status_code: status }
      : {}),
    ...(texts.length === 0 ? {} : { http_headers: Object.fromEntries(texts) }),
  };
}

function isTextEntry(entry: [string, JsonValue]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

/** A copy that is JSON and nothing else: what is sent on must not change or fail to be written later. */
function asJson(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function sectionIn(value: JsonValue, field: string): JsonObject {
  if (isObject(value)) return value;
  throw new TypeError(`${field}: expected an object, got ${kindOf(value)}`);
}
