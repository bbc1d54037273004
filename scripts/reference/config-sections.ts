import type { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** Keys that stand together. */
export interface ConfigSection {
  /** `upstreams[].circuit`; empty for the file itself. */
  readonly path: string;
  readonly description: string;
  readonly keys: readonly ConfigKey[];
}

export interface ConfigKey {
  /** `upstreams[].url`. */
  readonly path: string;
  /** In words: `list of text`. */
  readonly type: string;
  readonly isNeeded: boolean;
  /** Undefined where there is none, and for sections, whose keys have theirs. */
  readonly defaultValue: unknown;
  readonly description: string;
  /** The path of the section it holds. */
  readonly below: string | undefined;
}

/** A timer cannot wait longer, which is no news to anybody. */
const NO_LIMIT = 2_147_483_647;

/** The sections of a file, each before those inside it. */
export function listConfigSections(schema: Schema): readonly ConfigSection[] {
  return sectionsOf(schema, '', '');
}

function sectionsOf(schema: Schema, path: string, description: string): readonly ConfigSection[] {
  const entries = Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const inner = asSchema(value);
    const at = path === '' ? key : `${path}.${key}`;
    return { key, at, inner, held: heldSection(inner, at) };
  });
  const keys = entries.map(({ key, at, inner, held }) => ({
    path: at,
    type: typeOf(inner),
    isNeeded: schema.required?.includes(key) ?? false,
    defaultValue: held === undefined ? inner.default : undefined,
    description: inner.description ?? '',
    below: held?.path,
  }));
  const below = entries.flatMap(({ inner, held }) =>
    held === undefined ? [] : sectionsOf(held.schema, held.path, inner.description ?? ''),
  );
  return [{ path, description, keys }, ...below];
}

/** The keys that a value may have itself, each of a list, or under any name. */
function heldSection(schema: Schema, path: string): { schema: Schema; path: string } | undefined {
  const found = alternatives(schema).flatMap((one) => {
    if (one.properties !== undefined) return [{ schema: one, path }];
    const item = schemaOrNone(one.items);
    if (item?.properties !== undefined) return [{ schema: item, path: `${path}[]` }];
    const named = schemaOrNone(one.additionalProperties);
    return named?.properties === undefined ? [] : [{ schema: named, path: `${path}.<name>` }];
  });
  return found[0];
}

function typeOf(schema: Schema): string {
  return alternatives(schema).map(plainType).join(' or ');
}

function plainType(schema: Schema): string {
  if (schema.enum !== undefined) return words(schema.enum.map((one) => `\`${String(one)}\``));
  if (Array.isArray(schema.type))
    return schema.type.map((type) => plainType({ type })).join(' or ');
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? 'text' : `text, up to ${schema.maxLength} characters`;
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
    case 'number':
      return `${schema.type === 'integer' ? 'whole number' : 'number'}${bounds(schema)}`;
    case 'array':
      return `list of ${several(schemaOrNone(schema.items) ?? {})}`;
    case 'object':
      return objectType(schema);
    default:
      return schema.type ?? 'anything';
  }
}

function objectType(schema: Schema): string {
  if (schema.properties !== undefined) return 'section';
  return `${several(schemaOrNone(schema.additionalProperties) ?? {})} by name`;
}

function several(schema: Schema): string {
  const one = typeOf(schema);
  return one === 'section' ? 'sections' : one;
}

function bounds({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const isOpen = maximum === undefined || maximum === NO_LIMIT;
  if (exclusiveMinimum !== undefined) {
    return `, above ${exclusiveMinimum}${isOpen ? '' : `, up to ${maximum}`}`;
  }
  return isOpen ? `, from ${minimum ?? 0}` : `, ${minimum ?? 0} to ${maximum}`;
}

function words(list: readonly string[]): string {
  return [list.slice(0, -1).join(', '), list.at(-1)].join(' or ');
}

function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.map(asSchema);
}

function schemaOrNone(value: Schema['items']): Schema | undefined {
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}

function asSchema(value: Schema['items']): Schema {
  return schemaOrNone(value) ?? {};
}
