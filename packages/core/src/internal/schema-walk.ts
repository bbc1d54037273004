import type { JsonObject, JsonValue } from '../types.ts';

/** How deep schemas and references may lie in each other before nothing more is looked at. */
const MAX_DEPTH = 128;

/**
 * A walk through a schema: finds what `$ref` points to, and bounds the work, because a small schema can
 * be an endless or exponentially large tree.
 */
export class SchemaWalk {
  readonly #root: JsonObject | undefined;
  #stepsLeft: number;
  #depth = 0;

  constructor(root: JsonObject | undefined, steps: number) {
    this.#root = root;
    this.#stepsLeft = steps;
  }

  /** Whether the walk was cut short: its outcome is then a part of the truth. */
  get isExhausted(): boolean {
    return this.#stepsLeft <= 0;
  }

  /** Goes one schema deeper. Where it returns false, that schema is not to be looked at. */
  enter(): boolean {
    if (this.#stepsLeft <= 0 || this.#depth >= MAX_DEPTH) return false;
    this.#stepsLeft--;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
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

/** The list that stands at `key`; empty when none does. */
export function listOf(schema: JsonObject, key: string): readonly JsonValue[] {
  const list = ownOf(schema, key);
  return isList(list) ? list : [];
}
