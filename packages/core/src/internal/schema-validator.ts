import type { JsonObject, JsonValue } from '../types.ts';
import { arrayRules } from './schema-array-rules.ts';
import { describeTypes } from './schema-describe.ts';
import { logicRules } from './schema-logic-rules.ts';
import { objectRules } from './schema-object-rules.ts';
import { showValue } from './schema-problem.ts';
import type { SchemaProblem } from './schema-problem.ts';
import type { SchemaRule } from './schema-rule.ts';
import { numberRules, stringRules, valueRules } from './schema-scalar-rules.ts';
import { assertedTypes, typeOf } from './schema-types.ts';
import { isList, isSchemaObject, ownOf } from './schema-walk.ts';
import type { SchemaWalk } from './schema-walk.ts';

export type Finding = Omit<SchemaProblem, 'path' | 'received'> & { readonly received?: string };

/** More problems than this help nobody. */
const MAX_PROBLEMS = 20;

/** What counts for values of every kind. */
const commonRules: readonly SchemaRule<JsonValue>[] = [...valueRules, ...logicRules];

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

  #checkKeywords(value: JsonValue, schema: JsonObject): boolean {
    const types = assertedTypes(schema);
    // OpenAPI's way to allow null. Without a type beside it, it speaks for all that the schema says.
    const isNullable = value === null && ownOf(schema, 'nullable') === true;
    if (isNullable && types === undefined) return this.#run(valueRules, value, schema);
    if (!isNullable && types !== undefined && (types & typeOf(value)) === 0)
      return (
        this.goesOn && this.fail(value, { code: 'wrong-type', expected: describeTypes(types) })
      );
    const isFit = this.#run(commonRules, value, schema);
    if (!isFit && !this.goesOn) return false;
    if (typeof value === 'string') return this.#run(stringRules, value, schema) && isFit;
    if (typeof value === 'number') return this.#run(numberRules, value, schema) && isFit;
    if (isList(value)) return this.#run(arrayRules, value, schema) && isFit;
    return isSchemaObject(value) ? this.#run(objectRules, value, schema) && isFit : isFit;
  }

  /** Runs one rule after the other, all of them when problems are noted. */
  #run<Value extends JsonValue>(
    rules: readonly SchemaRule<Value>[],
    value: Value,
    schema: JsonObject,
  ): boolean {
    let isFit = true;
    for (const rule of rules) {
      if (rule(value, schema, this)) continue;
      isFit = false;
      if (!this.goesOn) return false;
    }
    return isFit;
  }
}
