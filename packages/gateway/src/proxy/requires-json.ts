import type { JsonObject, JsonValue } from '@holdfast/core';
import { objectOf } from './json/json-fields.ts';

/** Whether a request, in any of the protocols, wants JSON: text without markup is no call then. */
export function requiresJson(body: JsonObject): boolean {
  const { response_format, text, output_format, output_config } = body;
  const formats = [
    response_format,
    objectOf(text)['format'],
    output_format,
    objectOf(output_config)['format'],
  ];
  return formats.some((format) => JSON_FORMATS.has(objectOf(format)['type']));
}

const JSON_FORMATS: ReadonlySet<JsonValue | undefined> = new Set(['json_object', 'json_schema']);
