import { z } from 'zod';
import { configSchema } from './config-schema.ts';

/** The JSON Schema of `holdfast.yaml`, for editors: it knows every key with its default. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      allowVariables(jsonSchema);
    },
  });
  // zod cannot say that one of two keys has to be there.
  const anyOf = [{ required: ['upstreams'] }, { required: ['mcp'] }];
  return { $schema, title: 'holdfast.yaml', ...schema, anyOf };
}

/** The same once variables are filled in. The reference in the docs is written from it. */
export function filledConfigSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(configSchema, { io: 'input' });
}

/** An editor sees the file before variables are filled in, when `${PORT}` is still text. */
function allowVariables(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type === 'string' && schema.enum === undefined) {
    delete schema.pattern;
    return;
  }
  const { type } = schema;
  const isPlain = type === 'integer' || type === 'number' || type === 'boolean';
  if (!isPlain && schema.enum === undefined) return;
  const rules = Object.entries(schema).filter(([key]) => !['default', 'description'].includes(key));
  for (const [key] of rules) Reflect.deleteProperty(schema, key);
  schema.anyOf = [Object.fromEntries(rules), { type: 'string', pattern: '\\$\\{' }];
}
