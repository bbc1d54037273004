import { InvalidOptionError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../types.ts';
import { isRecord } from './record.ts';
import type { UnknownRecord } from './record.ts';

/**
 * The JSON Schema of a tool's arguments. `schema` is that JSON Schema, a Standard Schema that provides it
 * (zod, ArkType, Valibot), a schema of the AI SDK, or a function that returns one of these.
 * `place` names it in errors.
 */
export function toolSchema(schema: unknown, place: () => string): JsonObject | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (isPlainObject(schema) && !isSchemaOfLibrary(schema)) return schema;
  const source = typeof schema === 'object' || typeof schema === 'function' ? schema : undefined;
  const known = source && CONVERTED.get(source);
  if (known !== undefined) return known;
  const json = convert(schema, place);
  if (!isPlainObject(json)) throw new InvalidOptionError(place(), EXPECTED, json ?? schema);
  if (source !== undefined) CONVERTED.set(source, json);
  return json;
}

/** Library schemas are immutable, and converting one takes longer than parsing a response. */
const CONVERTED = new WeakMap<object, JsonObject>();

const EXPECTED =
  'a JSON Schema object, or a schema that provides one by Standard JSON Schema (zod 4.2, ArkType 2.1.28, ' +
  'Valibot by toStandardJsonSchema); convert any other schema to JSON Schema first';

/** Returns undefined for a library schema without a JSON Schema converter. */
function convert(schema: unknown, place: () => string): unknown {
  try {
    const isLazy = typeof schema === 'function' && !isSchemaOfLibrary(schema);
    const made = isLazy ? (schema as () => unknown)() : schema;
    if (!isSchemaOfLibrary(made)) return made;
    if (AI_SDK_SCHEMA in made) return made['jsonSchema'];
    const { jsonSchema } = made['~standard'] as UnknownRecord;
    return isConverter(jsonSchema) ? jsonSchema.input({ target: 'draft-2020-12' }) : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidOptionError(
      place(),
      `a schema that JSON Schema can express: ${reason}`,
      schema,
    );
  }
}

/** The converter of Standard JSON Schema, see https://standardschema.dev/json-schema. */
interface Converter {
  readonly input: (options: { readonly target: string }) => unknown;
}

function isConverter(value: unknown): value is Converter {
  return isRecord(value) && typeof value['input'] === 'function';
}

const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

/** Detects a schema by its symbol or functions, so that JSON from a client or a server never matches. */
function isSchemaOfLibrary(value: unknown): value is UnknownRecord {
  // The types of ArkType are functions.
  if (typeof value !== 'function' && !isRecord(value)) return false;
  if (AI_SDK_SCHEMA in value) return true;
  // The result of `z.toJSONSchema` has a converter too, but is JSON Schema already.
  if ('$schema' in value) return false;
  const standard: unknown = '~standard' in value ? value['~standard'] : undefined;
  return (
    isRecord(standard) &&
    (typeof standard['validate'] === 'function' || isConverter(standard['jsonSchema']))
  );
}

/** Whether a value can be a JSON object. Class instances, such as schemas of older libraries, cannot. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, JsonValue>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
