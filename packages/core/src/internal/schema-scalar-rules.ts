import type { JsonObject, JsonValue } from '../types.ts';
import { describeMembers } from './schema-describe.ts';
import { isEqualJson } from './schema-equal.ts';
import { showJson, showValue } from './schema-problem.ts';
import type { SchemaRule } from './schema-rule.ts';
import type { SchemaValidator } from './schema-validator.ts';
import { listOf, numberOf, ownOf } from './schema-walk.ts';

function constFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const only = ownOf(schema, 'const');
  if (only === undefined || isEqualJson(only, value)) return true;
  const expected = showJson(only);
  return validator.fail(value, { code: 'wrong-value', expected, known: texts([only]) });
}

function enumFits(value: JsonValue, schema: JsonObject, validator: SchemaValidator): boolean {
  const members = listOf(schema, 'enum');
  if (members.length === 0) return true;
  validator.walk.charge(members.length);
  if (members.some((member) => isEqualJson(member, value))) return true;
  const expected = describeMembers(members);
  return validator.fail(value, { code: 'wrong-value', expected, known: texts(members) });
}

function texts(members: readonly JsonValue[]): string[] {
  return members.filter((member) => typeof member === 'string');
}

function rangeFits(value: number, schema: JsonObject, validator: SchemaValidator): boolean {
  const fail = (expected: string): false =>
    validator.fail(value, { code: 'out-of-range', expected });
  const min = numberOf(schema, 'minimum');
  const max = numberOf(schema, 'maximum');
  // Draft 4 says with `true` that the limit itself is excluded; later drafts give a limit of its own.
  const above = exclusive(schema, 'exclusiveMinimum', min);
  const below = exclusive(schema, 'exclusiveMaximum', max);
  if (above !== undefined && value <= above) return fail(`more than ${above}`);
  if (min !== undefined && value < min) return fail(`at least ${min}`);
  if (below !== undefined && value >= below) return fail(`less than ${below}`);
  return max === undefined || value <= max || fail(`at most ${max}`);
}

function stepFits(value: number, schema: JsonObject, validator: SchemaValidator): boolean {
  const step = numberOf(schema, 'multipleOf');
  if (step === undefined || isMultiple(value, step)) return true;
  return validator.fail(value, { code: 'out-of-range', expected: `a multiple of ${step}` });
}

function exclusive(schema: JsonObject, key: string, limit: number | undefined): number | undefined {
  return ownOf(schema, key) === true ? limit : numberOf(schema, key);
}

/** Whether a number is a multiple of another, by their decimal digits: 0.3 is one of 0.1. */
function isMultiple(value: number, step: number): boolean {
  if (step <= 0 || !Number.isFinite(value)) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const one = decimal(value);
  const other = decimal(step);
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint =>
    digits * 10n ** BigInt(own - exponent);
  return scaled(one) % scaled(other) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function lengthFits(value: string, schema: JsonObject, validator: SchemaValidator): boolean {
  const min = numberOf(schema, 'minLength');
  const max = numberOf(schema, 'maxLength');
  if (min === undefined && max === undefined) return true;
  const length = lengthOf(value);
  const fail = (expected: string): false => {
    const received = `${length} characters: ${showValue(value)}`;
    return validator.fail(value, { code: 'out-of-range', expected, received });
  };
  if (min !== undefined && length < min) return fail(`at least ${min} characters`);
  return max === undefined || length <= max || fail(`at most ${max} characters`);
}

function patternFits(value: string, schema: JsonObject, validator: SchemaValidator): boolean {
  const pattern = ownOf(schema, 'pattern');
  if (typeof pattern !== 'string' || validator.walk.matches(pattern, value) !== false) return true;
  const expected = `a string that matches ${pattern}`;
  return validator.fail(value, { code: 'wrong-pattern', expected });
}

/** Characters, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    length--;
    at++;
  }
  return length;
}

export const valueRules: readonly SchemaRule<JsonValue>[] = [constFits, enumFits];
export const numberRules: readonly SchemaRule<number>[] = [rangeFits, stepFits];
export const stringRules: readonly SchemaRule<string>[] = [lengthFits, patternFits];
