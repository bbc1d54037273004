import type { JsonObject, JsonValue } from '../types.ts';
import { CHECKED_KEYWORDS, hasShape, isAnnotation, schemasBehind } from './schema-keywords.ts';
import { UnsupportedPattern } from './schema-pattern-parser.ts';
import { SchemaPattern } from './schema-pattern.ts';
import { showJson } from './schema-problem.ts';
import { typeByName } from './schema-types.ts';
import { isList, isSchemaObject, SchemaWalk } from './schema-walk.ts';

/** Something in a schema that is not held against values. */
export interface SchemaGap {
  readonly keyword: string;
  /** Where in the schema: `properties/age/minimum`. */
  readonly at: string;
  readonly reason: string;
}

const MAX_SCHEMAS = 10_000;
const MAX_GAPS = 50;

const scanned = new WeakMap<JsonObject, readonly SchemaGap[]>();

/** Everything in a schema that is not understood: it would be ignored without a word otherwise. */
export function scanSchema(root: JsonObject): readonly SchemaGap[] {
  const known = scanned.get(root);
  if (known !== undefined) return known;
  const gaps = new SchemaScan(root).run();
  scanned.set(root, gaps);
  return gaps;
}

class SchemaScan {
  readonly #root: JsonObject;
  readonly #walk: SchemaWalk;
  readonly #gaps: SchemaGap[] = [];

  constructor(root: JsonObject) {
    this.#root = root;
    this.#walk = new SchemaWalk(root, 0);
  }

  run(): readonly SchemaGap[] {
    const seen = new Set<JsonObject>();
    const open: [string, JsonValue][] = [['', this.#root]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [at, schema] = next;
      if (!isSchemaObject(schema) || seen.has(schema)) continue;
      seen.add(schema);
      if (seen.size > MAX_SCHEMAS || this.#gaps.length >= MAX_GAPS) break;
      const inner = Object.keys(schema).flatMap((keyword) => this.#scan(keyword, at, schema));
      for (const part of inner.reverse()) open.push(part);
    }
    return this.#gaps;
  }

  #scan(keyword: string, at: string, schema: JsonObject): [string, JsonValue][] {
    const value = schema[keyword] ?? null;
    const reason = this.#reason(keyword, value, at);
    const prefix = at === '' ? '' : `${at}/`;
    if (reason !== undefined) this.#gaps.push({ keyword, at: prefix + keyword, reason });
    return schemasBehind(keyword, value).map(([way, part]) => [prefix + way, part]);
  }

  /** Why a keyword is not held against values; undefined when it is, or when it demands nothing. */
  #reason(keyword: string, value: JsonValue, at: string): string | undefined {
    if (keyword === '$id' && at !== '')
      return 'references from inside another document are not followed';
    if (isAnnotation(keyword)) return undefined;
    const shape = Object.hasOwn(CHECKED_KEYWORDS, keyword) ? CHECKED_KEYWORDS[keyword] : undefined;
    if (shape === undefined) return 'the keyword is not known';
    if (!hasShape(value, shape)) return `expected ${shape}, got ${showJson(value)}`;
    if (keyword === 'type') return typeReason(value);
    if (keyword === 'pattern') return patternReason(value);
    if (keyword === 'patternProperties' && isSchemaObject(value))
      return Object.keys(value)
        .map(patternReason)
        .find((one) => one !== undefined);
    if (keyword === 'multipleOf' && !(Number(value) > 0))
      return `expected a number above 0, got ${showJson(value)}`;
    if (keyword === '$ref' && typeof value === 'string' && this.#walk.resolve(value) === undefined)
      return `${showJson(value)} leads nowhere within the schema`;
    return undefined;
  }
}

function typeReason(value: JsonValue): string | undefined {
  const names = isList(value) ? value : [value];
  const unknown = names.find((name) => typeof name === 'string' && typeByName(name) === 0);
  return unknown === undefined ? undefined : `there is no type ${showJson(unknown)}`;
}

function patternReason(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    new SchemaPattern(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    return `the pattern ${showJson(value)} cannot be followed: ${error.message}`;
  }
}
