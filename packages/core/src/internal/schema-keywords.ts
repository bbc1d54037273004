import type { JsonValue } from '../types.ts';
import { isList, isSchemaObject } from './schema-walk.ts';

/** What may stand behind a keyword. */
type Shape =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'schemas by name'
  | 'schemas or names by name'
  | 'names'
  | 'names by name'
  | 'type'
  | 'list'
  | 'text'
  | 'number'
  | 'number or boolean'
  | 'count'
  | 'boolean'
  | 'anything';

/** The keywords that are held against values. `docs/check.md` lists them. */
export const CHECKED_KEYWORDS: Readonly<Record<string, Shape>> = Object.freeze({
  type: 'type',
  enum: 'list',
  const: 'anything',
  nullable: 'boolean',
  properties: 'schemas by name',
  patternProperties: 'schemas by name',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  required: 'names',
  minProperties: 'count',
  maxProperties: 'count',
  dependentRequired: 'names by name',
  dependentSchemas: 'schemas by name',
  dependencies: 'schemas or names by name',
  items: 'schema or schemas',
  prefixItems: 'schemas',
  additionalItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number or boolean',
  exclusiveMaximum: 'number or boolean',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'text',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  $ref: 'text',
  $defs: 'schemas by name',
  definitions: 'schemas by name',
});

/** The keywords that only tell people or tools something. Nothing is held against them. */
export const ANNOTATIONS: readonly string[] = Object.freeze([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'discriminator',
  'externalDocs',
  'xml',
]);

const annotations: ReadonlySet<string> = new Set(ANNOTATIONS);

/** Whether a keyword tells something and demands nothing; `x-…` is everyone's own. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

/** Whether what stands behind a keyword can be understood. */
export function hasShape(value: JsonValue, shape: Shape): boolean {
  switch (shape) {
    case 'schema':
      return isSchema(value);
    case 'schemas':
      return isList(value) && value.every(isSchema);
    case 'schema or schemas':
      return isSchema(value) || hasShape(value, 'schemas');
    case 'schemas by name':
      return isSchemaObject(value) && Object.values(value).every(isSchema);
    case 'names':
      return isList(value) && value.every(isText);
    case 'names by name':
      return isSchemaObject(value) && Object.values(value).every((one) => hasShape(one, 'names'));
    case 'schemas or names by name':
      return (
        isSchemaObject(value) &&
        Object.values(value).every((one) => isSchema(one) || hasShape(one, 'names'))
      );
    case 'type':
      return isText(value) || (hasShape(value, 'names') && isList(value) && value.length > 0);
    case 'list':
      return isList(value) && value.length > 0;
    case 'text':
      return isText(value);
    case 'number':
      return typeof value === 'number';
    case 'number or boolean':
      return typeof value === 'number' || typeof value === 'boolean';
    case 'count':
      return typeof value === 'number' && value >= 0;
    case 'boolean':
      return typeof value === 'boolean';
    case 'anything':
      return true;
  }
}

function isSchema(value: JsonValue): boolean {
  return isSchemaObject(value) || typeof value === 'boolean';
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string';
}

/** The schemas that stand behind a keyword, with the way to them. */
export function schemasBehind(keyword: string, value: JsonValue): [string, JsonValue][] {
  const shape = Object.hasOwn(CHECKED_KEYWORDS, keyword) ? CHECKED_KEYWORDS[keyword] : undefined;
  if (shape?.startsWith('schema') !== true) return [];
  if (isList(value)) return value.map((part, at) => [`${keyword}/${at}`, part]);
  if (!shape.endsWith('by name')) return [[keyword, value]];
  if (!isSchemaObject(value)) return [];
  return Object.entries(value).map(([name, part]) => [`${keyword}/${name}`, part]);
}
