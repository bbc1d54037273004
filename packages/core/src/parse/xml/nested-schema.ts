import { itemSchema } from '../../internal/schema-array-rules.ts';
import { memberSchemas } from '../../internal/schema-object-rules.ts';
import { isSchemaObject, listOf } from '../../internal/schema-walk.ts';
import type { SchemaWalk } from '../../internal/schema-walk.ts';
import type { JsonObject, JsonValue } from '../../types.ts';

/** How many schemas a value may have to be looked for in. */
const MOST_PARTS = 64;

/** The schema of a member, wherever in the schema of the object it stands; undefined when nothing is said. */
export function schemaOfMember(
  schema: JsonValue | undefined,
  key: string,
  walk: SchemaWalk,
): JsonValue | undefined {
  return anyOf(partsOf(schema, walk).flatMap((part) => memberSchemas(key, part, walk)));
}

/** The schema of an item of a list. */
export function schemaOfItem(
  schema: JsonValue | undefined,
  at: number,
  walk: SchemaWalk,
): JsonValue | undefined {
  const items = partsOf(schema, walk).map((part) => itemSchema(part, at));
  return anyOf(items.filter((item) => item !== undefined));
}

/** The schema itself and all it refers to or is put together from. */
function partsOf(schema: JsonValue | undefined, walk: SchemaWalk): JsonObject[] {
  const parts: JsonObject[] = [];
  const add = (part: JsonValue | undefined): void => {
    if (isSchemaObject(part) && parts.length < MOST_PARTS && !parts.includes(part))
      parts.push(part);
  };
  add(schema);
  for (const part of parts) {
    add(walk.target(part));
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) listOf(part, keyword).forEach(add);
  }
  return parts;
}

function anyOf(schemas: readonly JsonValue[]): JsonValue | undefined {
  return schemas.length < 2 ? schemas[0] : { anyOf: schemas };
}
