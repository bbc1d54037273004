import type { JsonObject } from '../../types.ts';
import { parseBody } from '../classify/parse-body.ts';
import type { CallStep } from './conversation-step.ts';
import { isRecord } from './record.ts';

/** A call. Its arguments are read when they are first looked at: of most calls nobody asks for them. */
export function callStep(id: string | undefined, tool: string, input: unknown): CallStep {
  let read: JsonObject | undefined;
  return {
    type: 'call',
    id,
    tool,
    get arguments() {
      read ??= readArguments(input);
      return read;
    },
  };
}

/**
 * The arguments of a call: an object, or the JSON of one. What is neither, or too long, is kept as a text
 * under `input`, so that the same call is still known to be the same.
 */
function readArguments(value: unknown): JsonObject {
  if (isRecord(value)) return value as JsonObject;
  if (typeof value !== 'string' || value.trim() === '') return {};
  return parseBody(value) ?? { input: value };
}
