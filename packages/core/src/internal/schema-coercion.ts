import type { JsonObject, JsonValue } from '../types.ts';
import { isEqualJson } from './schema-equal.ts';
import { fits } from './schema-fits.ts';
import { setOwn } from './schema-members.ts';
import { isBracketed, isNullText, readBoolean, readNumber, readStrictJson } from './schema-text.ts';
import {
  ARRAY,
  BOOLEAN,
  FRACTION,
  INTEGER,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  typeOf,
  typesOf,
} from './schema-types.ts';
import type { ParseLoose } from './schema-values.ts';
import { isList, isSchemaObject, listOf, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Gives values the kinds that a schema asks for. */
export class SchemaCoercion {
  readonly #walk: SchemaWalk;
  readonly #parseLoose: ParseLoose | undefined;

  constructor(walk: SchemaWalk, parseLoose: ParseLoose | undefined) {
    this.#walk = walk;
    this.#parseLoose = parseLoose;
  }

  /** What a written text means; undefined when the schema says nothing about it. */
  readText(text: string, schema: JsonValue | undefined): JsonValue | undefined {
    const types = typesOf(schema, this.#walk);
    if (types === undefined) return undefined;
    if (types === STRING) return text;
    const candidates = this.#candidates(text, types).map((one) => this.coerce(one, schema));
    if ((types & STRING) !== 0) candidates.push(text);
    const [first] = candidates;
    // Nothing fits: what the text says as JSON tells more than the text, unless it may be a text.
    if (first === undefined) {
      const json = readStrictJson(text.trim());
      return json === undefined ? text : this.coerce(json, schema);
    }
    if (candidates.length === 1) return first;
    return firstOr(
      candidates.filter((candidate) => fits(candidate, schema, this.#walk)),
      first,
    );
  }

  /** The value as the schema wants it; the same value when there is nothing to change or no one way to. */
  coerce(value: JsonValue, schema: JsonValue | undefined): JsonValue {
    if (!isSchemaObject(schema) || !this.#walk.enter()) return value;
    let coerced = this.#convert(value, typesOf(schema, this.#walk));
    const target = this.#walk.target(schema);
    if (target !== undefined) coerced = this.coerce(coerced, target);
    for (const part of listOf(schema, 'allOf')) coerced = this.coerce(coerced, part);
    coerced = this.#coerceByBranch(coerced, listOf(schema, 'anyOf'));
    coerced = this.#coerceByBranch(coerced, listOf(schema, 'oneOf'));
    if (isList(coerced)) coerced = this.#coerceItems(coerced, schema);
    else if (isSchemaObject(coerced)) coerced = this.#coerceMembers(coerced, schema);
    this.#walk.leave();
    return coerced;
  }

  /** The readings of a text in the order they are tried, the text itself left out. */
  #candidates(text: string, types: number): JsonValue[] {
    const trimmed = text.trim();
    const mayBeText = (types & STRING) !== 0;
    const candidates: JsonValue[] = [];
    if ((types & NULL) !== 0 && isNullText(trimmed)) candidates.push(null);
    const number = numberIn(trimmed, types, mayBeText);
    if (number !== undefined) candidates.push(number);
    const boolean = (types & BOOLEAN) === 0 ? undefined : readBoolean(trimmed);
    if (boolean !== undefined) candidates.push(boolean);
    // `1` and `0` say yes and no only where they can say nothing else.
    if (types === BOOLEAN && (trimmed === '1' || trimmed === '0')) candidates.push(trimmed === '1');
    const container = this.#containerIn(trimmed, types, mayBeText);
    if (container !== undefined) candidates.push(container);
    return candidates;
  }

  #containerIn(trimmed: string, types: number, mayBeText: boolean): JsonValue | undefined {
    if ((types & (ARRAY | OBJECT)) === 0) return undefined;
    // Nothing written is nothing in it.
    if (trimmed === '' && types === ARRAY) return [];
    if (trimmed === '' && types === OBJECT) return {};
    const isOpen = isBracketed(trimmed) || trimmed.startsWith('(');
    if (!isOpen) return undefined;
    const value = readStrictJson(trimmed) ?? (mayBeText ? undefined : this.#parseLoose?.(trimmed));
    return value !== undefined && (typeOf(value) & types & (ARRAY | OBJECT)) !== 0
      ? value
      : undefined;
  }

  /** Another kind of value that says the same, where the kind it has is not allowed. */
  #convert(value: JsonValue, types: number | undefined): JsonValue {
    if (types === undefined || (typeOf(value) & types) !== 0) return value;
    if (typeof value === 'string') return firstOr(this.#candidates(value, types), value);
    if (typeof value === 'boolean' && (types & STRING) !== 0) return String(value);
    if (typeof value === 'number') {
      // A fraction may have been written with zeros at its end, which a price or a version needs.
      if ((types & STRING) !== 0 && Number.isSafeInteger(value)) return String(value);
      if (types === BOOLEAN && (value === 1 || value === 0)) return value === 1;
    }
    return value;
  }

  #coerceByBranch(value: JsonValue, branches: readonly JsonValue[]): JsonValue {
    if (branches.length === 0) return value;
    if (branches.some((branch) => fits(value, branch, this.#walk))) return value;
    const readings: JsonValue[] = [];
    for (const branch of branches) {
      const reading = this.coerce(value, branch);
      if (!fits(reading, branch, this.#walk)) continue;
      if (!readings.some((known) => isEqualJson(known, reading))) readings.push(reading);
    }
    if (readings.length > 0) return readings.length === 1 ? firstOr(readings, value) : value;
    // None fits; where only one branch is about such a value, its parts are still read by it.
    const near = branches.filter((branch) => this.#isAbout(value, branch));
    return near.length === 1 ? this.coerce(value, near[0]) : value;
  }

  #isAbout(value: JsonValue, branch: JsonValue): boolean {
    const types = typesOf(branch, this.#walk);
    return types === undefined || (types & typeOf(value)) !== 0;
  }

  #coerceItems(list: readonly JsonValue[], schema: JsonObject): JsonValue {
    const items = ownOf(schema, 'items');
    const prefix = isList(items) ? items : listOf(schema, 'prefixItems');
    const rest = isList(items) ? ownOf(schema, 'additionalItems') : items;
    if (prefix.length === 0 && !isSchemaObject(rest)) return list;
    const coerced = list.map((item, at) =>
      this.coerce(item, at < prefix.length ? prefix[at] : rest),
    );
    return coerced.some((item, at) => item !== list[at]) ? coerced : list;
  }

  #coerceMembers(object: JsonObject, schema: JsonObject): JsonValue {
    const properties = ownOf(schema, 'properties');
    const known = isSchemaObject(properties) ? properties : {};
    const others = ownOf(schema, 'additionalProperties');
    let changed: Record<string, JsonValue> | undefined;
    for (const [key, value] of Object.entries(object)) {
      const coerced = this.coerce(value, Object.hasOwn(known, key) ? known[key] : others);
      if (coerced === value) continue;
      changed ??= { ...object };
      setOwn(changed, key, coerced);
    }
    return changed ?? object;
  }
}

/** The first of a list that may hold null; `other` when it is empty. */
function firstOr(list: readonly JsonValue[], other: JsonValue): JsonValue {
  const [first] = list;
  return first === undefined ? other : first;
}

function numberIn(trimmed: string, types: number, mayBeText: boolean): number | undefined {
  if ((types & NUMBER) === 0) return undefined;
  const number = readNumber(trimmed, mayBeText ? 'json' : 'any');
  if (number === undefined) return undefined;
  if ((types & FRACTION) !== 0) return number;
  // Where a text is allowed too, `5.0` is no way to write a whole number.
  const isWhole = Number.isInteger(number) && (!mayBeText || /^-?\d+$/.test(trimmed));
  return isWhole && (types & INTEGER) !== 0 ? number : undefined;
}
