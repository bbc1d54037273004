import type { JsonObject, JsonValue } from '../types.ts';
import { arrayRules } from './schema-array-rules.ts';
import { describeTypes } from './schema-describe.ts';
import { logicRules } from './schema-logic-rules.ts';
import { objectRules } from './schema-object-rules.ts';
import { showValue } from './schema-problem.ts';
import type { SchemaProblem } from './schema-problem.ts';
import { numberRules, stringRules, valueRules } from './schema-scalar-rules.ts';
import { assertedTypes, typeOf } from './schema-types.ts';
import { isList, isSchemaObject, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

export type Finding = Omit<SchemaProblem, 'path' | 'received'> & { readonly received?: string };

/** More problems than this help nobody. */
const MAX_PROBLEMS = 20;

/**
 * Holds values against schemas. With a list for `problems` it goes on after one and notes them all, up to
 * twenty; without, it stops at the first.
 */
export class SchemaValidator {
  readonly walk: SchemaWalk;
  readonly #problems: SchemaProblem[] | undefined;
  readonly #path: (string | number)[] = [];
  #quiet = 0;

  constructor(walk: SchemaWalk, problems?: SchemaProblem[]) {
    this.walk = walk;
    this.#problems = problems;
  }

  /** Whether the rest of a value is worth looking at after a problem was found. */
  get goesOn(): boolean {
    return (
      this.#quiet === 0 && this.#problems !== undefined && this.#problems.length < MAX_PROBLEMS
    );
  }

  /** Whether the value fits; problems are noted. */
  check(value: JsonValue, schema: JsonValue | undefined): boolean {
    if (!isSchemaObject(schema)) {
      if (schema !== false) return true;
      return this.fail(value, { code: 'no-match', expected: 'no value here' });
    }
    if (!this.walk.enter()) return true;
    const isFit = this.#checkKeywords(value, schema);
    this.walk.leave();
    return isFit;
  }

  /** Checks a part of a value: a member or an item. */
  checkAt(key: string | number, value: JsonValue, schema: JsonValue | undefined): boolean {
    this.#path.push(key);
    const isFit = this.check(value, schema);
    this.#path.pop();
    return isFit;
  }

  /** Whether the value fits; nothing is noted. */
  fits(value: JsonValue, schema: JsonValue | undefined): boolean {
    this.#quiet++;
    const isFit = this.check(value, schema);
    this.#quiet--;
    return isFit;
  }

  /** Notes a problem of `value`. Always returns false, so that a rule can end with it. */
  fail(
    value: JsonValue | undefined,
    finding: Finding,
    ...path: readonly (string | number)[]
  ): false {
    if (this.goesOn) {
      const whole = [...this.#path, ...path];
      this.#problems?.push({ received: showValue(value), ...finding, path: whole });
    }
    return false;
  }

  /** Runs checks one after the other, all of them when problems are noted. */
  every(checks: Iterable<() => boolean>): boolean {
    let isFit = true;
    for (const check of checks) {
      if (check()) continue;
      isFit = false;
      if (!this.goesOn) return false;
    }
    return isFit;
  }

  #checkKeywords(value: JsonValue, schema: JsonObject): boolean {
    const types = assertedTypes(schema);
    // OpenAPI's way to allow null. Without a type beside it, it speaks for all that the schema says.
    const isNullable = value === null && ownOf(schema, 'nullable') === true;
    if (isNullable && types === undefined) return valueRules(value, schema, this);
    if (!isNullable && types !== undefined && (types & typeOf(value)) === 0)
      return (
        this.goesOn && this.fail(value, { code: 'wrong-type', expected: describeTypes(types) })
      );
    return this.every([
      () => valueRules(value, schema, this),
      () => logicRules(value, schema, this),
      () => this.#checkByKind(value, schema),
    ]);
  }

  #checkByKind(value: JsonValue, schema: JsonObject): boolean {
    if (typeof value === 'string') return stringRules(value, schema, this);
    if (typeof value === 'number') return numberRules(value, schema, this);
    if (isList(value)) return arrayRules(value, schema, this);
    return isSchemaObject(value) ? objectRules(value, schema, this) : true;
  }
}
