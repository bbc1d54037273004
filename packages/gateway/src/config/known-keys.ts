import { z } from 'zod';

/** The keys that may stand at a place of what a schema describes; none where anything may. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = schemaAt(schema, path);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The same, and the names that a table takes where it takes only some. */
export function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = schemaAt(schema, path);
  if (at instanceof z.ZodRecord && at.keyType instanceof z.ZodEnum) {
    return at.keyType.options.map(String);
  }
  return keysAt(schema, path);
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): unknown {
  let at: unknown = unwrap(schema);
  for (const step of path) {
    if (at instanceof z.ZodArray) at = unwrap(at.element);
    else if (at instanceof z.ZodRecord) at = unwrap(at.valueType);
    else if (at instanceof z.ZodObject) at = unwrap(at.shape[String(step)]);
  }
  return at;
}

function unwrap(schema: unknown): unknown {
  let at = schema;
  for (;;) {
    if (at instanceof z.ZodUnion) at = at.options.find((each) => each instanceof z.ZodObject);
    else if (at instanceof z.ZodDefault || at instanceof z.ZodPrefault) at = at.unwrap();
    else if (at instanceof z.ZodOptional || at instanceof z.ZodExactOptional) at = at.unwrap();
    else return at;
  }
}
