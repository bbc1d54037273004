import type { JsonObject, JsonValue } from '../types.ts';
import { UnsupportedPattern } from './schema-pattern-parser.ts';
import { SchemaPattern } from './schema-pattern.ts';

/** How deep schemas and references may lie in each other before nothing more is looked at. */
const MAX_DEPTH = 256;

/** Steps that a pattern may take, for itself and for each character of the text. */
const PATTERN_BASE = 10_000;
const PATTERN_PER_CHARACTER = 64;
/** Characters that count as one step of the walk. */
const CHARACTERS_PER_STEP = 16;

/**
 * A walk through a schema: finds what `$ref` points to, and bounds the work, because a small schema can
 * be an endless or exponentially large tree.
 */
export class SchemaWalk {
  readonly #root: JsonObject | undefined;
  #stepsLeft: number;
  #depth = 0;
  #isCut = false;
  /** The kinds of value that schemas allow, so that a list asks once and not for each of its items. */
  readonly knownTypes: Map<JsonObject, number | undefined> = new Map<
    JsonObject,
    number | undefined
  >();
  readonly #patterns: Map<string, SchemaPattern | undefined>;

  constructor(root: JsonObject | undefined, steps: number) {
    // Tools come from elsewhere: what is called a schema may be anything.
    this.#root = isSchemaObject(root) ? root : undefined;
    this.#patterns = patternsOf(this.#root);
    this.#stepsLeft = steps;
  }

  /** Whether something was left out because it went too far: the outcome is then a part of the truth. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Goes one schema deeper. Where it returns false, that schema is not to be looked at. */
  enter(): boolean {
    if (this.#stepsLeft <= 0 || this.#depth >= MAX_DEPTH) {
      this.#isCut = true;
      return false;
    }
    this.#stepsLeft--;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }

  /** Counts work that is done without going deeper. */
  charge(steps: number): void {
    this.#stepsLeft -= steps;
  }

  /** Whether a pattern is found in a text; undefined when the pattern cannot be followed, or not so far. */
  matches(source: string, text: string): boolean | undefined {
    const pattern = this.#pattern(source);
    if (pattern === undefined) return undefined;
    this.charge(1 + Math.ceil(text.length / CHARACTERS_PER_STEP));
    const isFound =
      this.#stepsLeft <= 0
        ? undefined
        : pattern.test(text, PATTERN_BASE + PATTERN_PER_CHARACTER * text.length);
    if (isFound === undefined) this.#isCut = true;
    return isFound;
  }

  #pattern(source: string): SchemaPattern | undefined {
    const known = this.#patterns.get(source);
    if (known !== undefined || this.#patterns.has(source)) return known;
    const pattern = compile(source);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  /** The schema that `$ref` points to; undefined without `$ref`, or when it leads nowhere. */
  target(schema: JsonObject): JsonValue | undefined {
    const reference = ownOf(schema, '$ref');
    return typeof reference === 'string' ? this.resolve(reference) : undefined;
  }

  /** Follows a reference within the root: `#`, `#/$defs/place`. */
  resolve(reference: string): JsonValue | undefined {
    if (reference === '#') return this.#root;
    if (!reference.startsWith('#/')) return undefined;
    let at: JsonValue | undefined = this.#root;
    for (const part of reference.slice(2).split('/')) {
      const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (isList(at)) at = /^\d{1,9}$/.test(key) ? at[Number(key)] : undefined;
      else at = isSchemaObject(at) ? ownOf(at, key) : undefined;
    }
    return at;
  }
}

/** Patterns are made once per schema: that takes longer than most texts take to match. */
const patternsByRoot = new WeakMap<JsonObject, Map<string, SchemaPattern | undefined>>();

function patternsOf(root: JsonObject | undefined): Map<string, SchemaPattern | undefined> {
  const known = root === undefined ? undefined : patternsByRoot.get(root);
  if (known !== undefined) return known;
  const patterns = new Map<string, SchemaPattern | undefined>();
  if (root !== undefined) patternsByRoot.set(root, patterns);
  return patterns;
}

function compile(source: string): SchemaPattern | undefined {
  try {
    return new SchemaPattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function isSchemaObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The object's own member: a schema that has no `constructor` must not get the one of all objects. */
export function ownOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function numberOf(schema: JsonObject, key: string): number | undefined {
  const value = ownOf(schema, key);
  return typeof value === 'number' ? value : undefined;
}

const NO_MEMBERS: JsonObject = Object.freeze({});

/** The object that stands at `key`; empty when none does. */
export function mapOf(schema: JsonObject, key: string): JsonObject {
  const map = ownOf(schema, key);
  return isSchemaObject(map) ? map : NO_MEMBERS;
}

/** The list that stands at `key`; empty when none does. */
export function listOf(schema: JsonObject, key: string): readonly JsonValue[] {
  const list = ownOf(schema, key);
  return isList(list) ? list : [];
}
