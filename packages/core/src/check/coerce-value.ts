import { SchemaCoercion } from '../internal/schema-coercion.ts';
import { sizeOf } from '../internal/schema-size.ts';
import { newWalk } from '../internal/schema-values.ts';
import { isSchemaObject } from '../internal/schema-walk.ts';
import type { JsonValue } from '../types.ts';
import { checkOptions } from './check-options.ts';
import type { CheckOptions } from './check-options.ts';
import type { CheckRepair } from './check-result.ts';
import { describeRepair } from './describe-repair.ts';

/** A value as its schema asks for it, with what was changed for that. */
export interface CoercedValue {
  readonly value: JsonValue;
  readonly repairs: readonly CheckRepair[];
}

/**
 * Turns a value into what a JSON Schema asks for, where only one thing can be meant: `"42"` into 42, a
 * text that is JSON into what it says, a single value into a list of it. What fits already, or can mean
 * two things, is returned as it is. Whether the outcome is valid is for `checkToolCall` to say.
 */
export function coerceValue(
  value: JsonValue,
  schema: JsonValue,
  options: Pick<CheckOptions, 'parseLoose'> = {},
): CoercedValue {
  checkOptions(options);
  const size = sizeOf(value);
  if (size === undefined) return { value, repairs: [] };
  const root = isSchemaObject(schema) ? schema : undefined;
  const coercion = new SchemaCoercion(newWalk(root, size), { ...options, fixesShape: true });
  const coerced = coercion.coerce(value, schema);
  return { value: coerced, repairs: coercion.notes.map(describeRepair) };
}
