import { valueFromText as readValue } from '../internal/schema-values.ts';
import type { Untyped } from '../internal/schema-values.ts';
import { isSchemaObject } from '../internal/schema-walk.ts';
import { InvalidOptionError } from '../errors.ts';
import type { ParseLoose } from '../internal/schema-readings.ts';
import type { JsonObject, JsonValue } from '../types.ts';

/** How a text is read by a schema. */
export interface ValueFromTextOptions {
  /** The schema that `$ref` is looked up in. @defaultValue the schema itself */
  readonly root?: JsonObject;
  /** What a text means that the schema says nothing about. @defaultValue 'text' */
  readonly untyped?: Untyped;
  /** Reads an object or array that is not quite JSON. @defaultValue only JSON is read */
  readonly parseLoose?: ParseLoose;
}

/** What the text of a parameter means by its schema, as formats without types of their own write it. */
export function valueFromText(
  text: string,
  schema: JsonValue | undefined,
  options: ValueFromTextOptions = {},
): JsonValue {
  const {
    root = isSchemaObject(schema) ? schema : undefined,
    untyped = 'text',
    parseLoose,
  } = options;
  if (!(['text', 'literal'] as readonly unknown[]).includes(untyped))
    throw new InvalidOptionError('untyped', '"text" or "literal"', untyped);
  return readValue(text, schema, root, untyped, parseLoose);
}
