import type { JsonObject } from '../../types.ts';
import { parseBody } from '../classify/parse-body.ts';
import { isRecord } from './record.ts';

/**
 * The arguments of a call: an object, or the JSON of one. What is neither, or too long, is kept as a text
 * under `input`, so that the same call is still known to be the same.
 */
export function readArguments(value: unknown): JsonObject {
  if (isRecord(value)) return value as JsonObject;
  if (typeof value !== 'string' || value.trim() === '') return {};
  return parseBody(value) ?? { input: value };
}
