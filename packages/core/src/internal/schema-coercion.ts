import type { JsonObject, JsonValue, Repair } from '../types.ts';
import { itemSchema } from './schema-array-rules.ts';
import { isEqualJson } from './schema-equal.ts';
import { listInText, renamedKeys, unquotedMember, unwrapped } from './schema-fixes.ts';
import { branchesMeant } from './schema-logic-rules.ts';
import { setOwn } from './set-own.ts';
import { memberSchemas } from './schema-object-rules.ts';
import type { ValuePath } from './schema-problem.ts';
import { convertValue, readingsOf } from './schema-readings.ts';
import type { ParseLoose } from './schema-readings.ts';
import { isBracketed, isLostNumber, readStrictJson } from './schema-text.ts';
import { ARRAY, NUMBER, STRING, typeOf, typesOf } from './schema-types.ts';
import { SchemaValidator } from './schema-validator.ts';
import { isList, isSchemaObject, listOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** One thing that was changed. */
export interface CoercionNote {
  readonly repair: Repair;
  readonly path: ValuePath;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

export interface CoercionOptions {
  readonly parseLoose?: ParseLoose | undefined;
  /** Names of keys and the shape of lists are set right as well, not only the kinds of values. */
  readonly fixesShape?: boolean;
  /** How the number at a path is written. */
  readonly numberAt?: ((path: ValuePath) => string | undefined) | undefined;
}

const NO_RENAMES: ReadonlyMap<string, string> = new Map();

/** Gives values the kinds that a schema asks for. */
export class SchemaCoercion {
  readonly #walk: SchemaWalk;
  readonly #validator: SchemaValidator;
  readonly #parseLoose: ParseLoose | undefined;
  readonly #fixesShape: boolean;
  readonly #numberAt: CoercionOptions['numberAt'];
  /** Where numbers are expected and strings hold the digits of numbers that a double cannot hold. */
  readonly unkeptNumbers: ValuePath[] = [];
  readonly #path: (string | number)[] = [];
  /** The same with the keys as they were written. */
  readonly #writtenPath: (string | number)[] = [];
  readonly #notes: CoercionNote[] = [];

  constructor(walk: SchemaWalk, options: CoercionOptions = {}) {
    this.#walk = walk;
    this.#validator = new SchemaValidator(walk);
    this.#parseLoose = options.parseLoose;
    this.#fixesShape = options.fixesShape ?? false;
    this.#numberAt = options.numberAt;
  }

  /** What was changed, in the order it was. */
  get notes(): readonly CoercionNote[] {
    return this.#notes;
  }

  /** What a written text means; undefined when the schema says nothing about it. */
  readText(text: string, schema: JsonValue | undefined): JsonValue | undefined {
    const types = typesOf(schema, this.#walk);
    if (types === undefined) return undefined;
    if (types === STRING) return text;
    const readings = readingsOf(text, types, this.#parseLoose).map((one) =>
      this.coerce(one, schema),
    );
    if ((types & STRING) !== 0) readings.push(text);
    if (readings.length > 1) {
      const fitting = readings.find((reading) => this.#validator.fits(reading, schema));
      if (fitting !== undefined) return fitting;
    }
    const [first] = readings;
    if (first !== undefined) return first;
    // Nothing fits: what the text says as JSON tells more than the text, unless it may be a text.
    const json = readStrictJson(text.trim());
    return json === undefined ? text : this.coerce(json, schema);
  }

  /** The value as the schema wants it; the same value when there is nothing to change or no one way to. */
  coerce(value: JsonValue, schema: JsonValue | undefined): JsonValue {
    if (!isSchemaObject(schema) || !this.#walk.enter()) return value;
    let coerced = this.#convert(value, schema);
    coerced = this.coerce(coerced, this.#walk.target(schema));
    for (const part of listOf(schema, 'allOf')) coerced = this.coerce(coerced, part);
    coerced = this.#coerceByBranch(coerced, listOf(schema, 'anyOf'));
    coerced = this.#coerceByBranch(coerced, listOf(schema, 'oneOf'));
    if (isList(coerced)) coerced = this.#coerceItems(coerced, schema);
    else if (isSchemaObject(coerced)) coerced = this.#coerceMembers(coerced, schema);
    this.#walk.leave();
    return coerced;
  }

  #note(repair: Repair, from: JsonValue, to: JsonValue, ...path: readonly string[]): void {
    this.#notes.push({ repair, path: [...this.#path, ...path], from, to });
  }

  /** Another kind of value that says the same, where the kind it has is not allowed. */
  #convert(value: JsonValue, schema: JsonObject): JsonValue {
    const types = typesOf(schema, this.#walk);
    if (types === undefined) return value;
    if ((typeOf(value) & types) !== 0) return this.#unquote(value, schema);
    if (this.#validator.fits(value, schema)) return value;
    const converted =
      this.#writtenNumber(value, types) ?? convertValue(value, types, this.#parseLoose);
    if (converted !== undefined) {
      const isUnpacked = typeof converted === 'object' && converted !== null;
      this.#note(isUnpacked ? 'stringified-value' : 'coerced-value', value, converted);
      return converted;
    }
    if (typeof value === 'string' && (types & NUMBER) !== 0 && isLostNumber(value))
      this.unkeptNumbers.push([...this.#path]);
    return this.#fixesShape ? this.#reshape(value, schema, types) : value;
  }

  /** The text of a number where a text is wanted, with every digit. */
  #writtenNumber(value: JsonValue, types: number): string | undefined {
    if (typeof value !== 'number' || (types & STRING) === 0) return undefined;
    return this.#numberAt?.(this.#writtenPath);
  }

  #unquote(value: JsonValue, schema: JsonObject): JsonValue {
    const member = this.#fixesShape ? unquotedMember(value, listOf(schema, 'enum')) : undefined;
    if (member === undefined) return value;
    this.#note('coerced-value', value, member);
    return member;
  }

  /** A list for a single value, or the value for an object that only wraps it, if that fits. */
  #reshape(value: JsonValue, schema: JsonObject, types: number): JsonValue {
    const inner = unwrapped(value, this.#path.at(-1));
    if (inner !== undefined) return this.#tryReshape('wrapped-value', value, inner, schema);
    if ((types & ARRAY) === 0 || value === null) return value;
    const list = listInText(value);
    if (list !== undefined) {
      const pieces = this.#tryReshape('stringified-value', value, list, schema);
      if (isList(pieces) && pieces.every((piece) => typeof piece !== 'string')) return pieces;
    }
    // What begins like a list is a broken one, not one text in a list.
    if (typeof value === 'string' && isBracketed(value.trim())) return value;
    return this.#tryReshape('single-value-for-array', value, [value], schema);
  }

  #tryReshape(repair: Repair, value: JsonValue, shaped: JsonValue, schema: JsonObject): JsonValue {
    const before = this.#notes.length;
    this.#note(repair, value, shaped);
    const coerced = this.coerce(shaped, schema);
    if (this.#validator.fits(coerced, schema)) return coerced;
    this.#notes.length = before;
    return value;
  }

  #coerceByBranch(value: JsonValue, branches: readonly JsonValue[]): JsonValue {
    if (branches.length === 0) return value;
    if (branches.some((branch) => this.#validator.fits(value, branch))) return value;
    const before = this.#notes.length;
    let found: { reading: JsonValue; notes: CoercionNote[] } | undefined;
    for (const branch of branches) {
      const reading = this.coerce(value, branch);
      const notes = this.#notes.splice(before);
      if (!this.#validator.fits(reading, branch)) continue;
      if (found !== undefined && !isEqualJson(found.reading, reading)) return value;
      found ??= { reading, notes };
    }
    if (found !== undefined) {
      for (const note of found.notes) this.#notes.push(note);
      return found.reading;
    }
    // None fits; where only one can be meant, the parts are still read by it.
    const meant = branchesMeant(value, branches, this.#validator);
    return meant.length === 1 ? this.coerce(value, meant[0]) : value;
  }

  #coerceItems(list: readonly JsonValue[], schema: JsonObject): JsonValue {
    let changed: JsonValue[] | undefined;
    for (const [at, item] of list.entries()) {
      const part = itemSchema(schema, at);
      if (part === undefined) break;
      const coerced = this.#coerceAt(at, item, [part]);
      if (coerced === item) continue;
      changed ??= [...list];
      changed[at] = coerced;
    }
    return changed ?? list;
  }

  #coerceMembers(object: JsonObject, schema: JsonObject): JsonValue {
    const renames = this.#fixesShape ? renamedKeys(object, schema, this.#walk) : NO_RENAMES;
    const named = renames.size === 0 ? object : this.#rename(object, renames);
    const written =
      renames.size === 0 ? renames : new Map([...renames].map(([from, to]) => [to, from]));
    let changed: Record<string, JsonValue> | undefined;
    for (const [key, value] of Object.entries(named)) {
      const schemas = memberSchemas(key, schema, this.#walk);
      const coerced = this.#coerceAt(key, value, schemas, written.get(key));
      if (coerced === value) continue;
      changed ??= { ...named };
      setOwn(changed, key, coerced);
    }
    return changed ?? named;
  }

  /** `written` is how the key was written. */
  #coerceAt(
    key: string | number,
    value: JsonValue,
    schemas: readonly JsonValue[],
    written: string | number = key,
  ): JsonValue {
    this.#path.push(key);
    this.#writtenPath.push(written);
    let coerced = value;
    for (const schema of schemas) coerced = this.coerce(coerced, schema);
    this.#path.pop();
    this.#writtenPath.pop();
    return coerced;
  }

  #rename(object: JsonObject, renames: ReadonlyMap<string, string>): JsonObject {
    const renamed: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(object)) {
      const name = renames.get(key);
      if (name !== undefined) this.#note('argument-name', key, name, name);
      setOwn(renamed, name ?? key, value);
    }
    return renamed;
  }
}
