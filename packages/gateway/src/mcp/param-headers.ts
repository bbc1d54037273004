import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, objectOf } from '../proxy/json/json-fields.ts';

/** An argument that goes into a header too, so that what stands between can route by it. */
interface HeaderParam {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

const KEY = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** Deeper ones are not looked for: the schema is not ours. */
const MAX_DEPTH = 20;

/** Looked for once per schema: most have none. */
const known = new WeakMap<JsonObject, readonly HeaderParam[]>();

/** The headers that a call over HTTP has by the tool's schema (protocol revision 2026-07-28). */
export function paramHeaders(
  schema: JsonObject,
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const params = paramsOf(schema);
  if (params.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { path, header } of params) {
    const text = textAt(args, path);
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encode(text);
  }
  return headers;
}

/** How the headers of a call and its arguments disagree; undefined where they do not. */
export function findHeaderMismatch(
  schema: JsonObject,
  args: JsonObject,
  headerOf: (name: string) => string | undefined,
): { readonly header: string; readonly body: string } | undefined {
  for (const { path, header, isNumber } of paramsOf(schema)) {
    const expected = textAt(args, path);
    if (expected === undefined) continue;
    const name = `Mcp-Param-${header}`;
    const given = headerOf(name.toLowerCase());
    const body = `the body carries ${path.join('.')}=${JSON.stringify(expected)}`;
    if (given === undefined) return { header: name, body: `${body}, the header is absent` };
    const text = decode(given);
    if (text === undefined)
      return { header: name, body: `${body}, the header is not valid Base64` };
    const isSame = text === expected || (isNumber && Number(text) === Number(expected));
    if (!isSame) return { header: name, body: `${body}, the header says ${JSON.stringify(text)}` };
  }
  return undefined;
}

function paramsOf(schema: JsonObject): readonly HeaderParam[] {
  const found = known.get(schema) ?? find(schema, []);
  known.set(schema, found);
  return found;
}

function find(schema: JsonObject, path: readonly string[]): readonly HeaderParam[] {
  if (path.length > MAX_DEPTH) return [];
  const header = schema[KEY];
  const { type } = schema;
  const own =
    typeof header === 'string' && TOKEN.test(header) && path.length > 0
      ? [{ path, header, isNumber: type === 'integer' || type === 'number' }]
      : [];
  const below = Object.entries(objectOf(schema['properties'])).flatMap(([key, child]) =>
    isObject(child) ? find(child, [...path, key]) : [],
  );
  return [...own, ...below];
}

/** The argument as text; undefined for what is missing, null, or no plain value. */
function textAt(args: JsonObject, path: readonly string[]): string | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** What a header cannot carry as it is goes in Base64. */
function encode(text: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !text.startsWith(PREFIX);
  return isPlain ? text : `${PREFIX}${Buffer.from(text).toString('base64')}${SUFFIX}`;
}

function decode(given: string): string | undefined {
  if (!given.startsWith(PREFIX) || !given.endsWith(SUFFIX)) return given;
  const base64 = given.slice(PREFIX.length, -SUFFIX.length);
  const isBase64 =
    /^[\w+/]*={0,2}$/.test(base64) && !base64.includes('_') && base64.length % 4 === 0;
  return isBase64 ? Buffer.from(base64, 'base64').toString('utf8') : undefined;
}
