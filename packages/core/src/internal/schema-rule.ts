import type { JsonObject, JsonValue } from '../types.ts';
import type { SchemaValidator } from './schema-validator.ts';

/** What one keyword, or a few that belong together, say about a value. Rules are run in a row. */
export type SchemaRule<Value extends JsonValue> = (
  value: Value,
  schema: JsonObject,
  validator: SchemaValidator,
) => boolean;
