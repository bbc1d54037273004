import { listOf } from '../../internal/schema-walk.ts';
import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';

/** A tool as the type of a function, the way gpt-oss is shown its tools. */
export function typescriptSignature({ name, description, parameters }: ToolDefinition): string {
  const takes = isJsonObject(parameters?.['properties'])
    ? Object.keys(parameters['properties'])
    : [];
  const input = takes.length === 0 ? '' : `_: ${typeOf(parameters, '')}`;
  return `${comment(description, '')}type ${name} = (${input}) => any;`;
}

const WORDS: ReadonlyMap<JsonValue, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

function typeOf(schema: JsonValue | undefined, indent: string): string {
  if (!isJsonObject(schema)) return 'any';
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  const members = listOf(schema, 'enum');
  if (members.length > 0) return members.map((member) => JSON.stringify(member)).join(' | ');
  const branches = [...listOf(schema, 'anyOf'), ...listOf(schema, 'oneOf')];
  if (branches.length > 0) return branches.map((branch) => typeOf(branch, indent)).join(' | ');
  const { type } = schema;
  const kinds = Array.isArray(type) ? (type as readonly JsonValue[]) : [type ?? 'any'];
  return kinds.map((kind) => typeOfKind(kind, schema, indent)).join(' | ');
}

function typeOfKind(kind: JsonValue, schema: JsonObject, indent: string): string {
  if (kind === 'array') return `Array<${typeOf(schema['items'], indent)}>`;
  if (kind === 'object') return objectType(schema, indent);
  return WORDS.get(kind) ?? 'any';
}

function objectType(schema: JsonObject, indent: string): string {
  const { properties } = schema;
  if (!isJsonObject(properties)) return 'object';
  const required = listOf(schema, 'required');
  const members = Object.entries(properties).map(([key, property]) => {
    const mark = required.includes(key) ? '' : '?';
    const about = isJsonObject(property) ? property['description'] : undefined;
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return `${comment(about, indent)}${indent}${name}${mark}: ${typeOf(property, `${indent}  `)},\n`;
  });
  return `{\n${members.join('')}${indent.slice(2)}}`;
}

function comment(text: JsonValue | undefined, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  return text.replace(/^/gm, `${indent}// `).concat('\n');
}
