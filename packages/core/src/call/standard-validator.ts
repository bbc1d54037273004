import type { CheckIssue } from '../check/check-issue.ts';
import { isRecord } from '../internal/record.ts';
import { showPath, showValue } from '../internal/schema-problem.ts';
import type { JsonObject, JsonValue } from '../types.ts';

/** Arguments as a library returns them, or what it finds wrong with them. */
export type Validated =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly CheckIssue[] };

export type Validator = (args: JsonObject) => Promise<Validated>;

/** The validator of a Standard Schema, see https://standardschema.dev; undefined for any other schema. */
export function standardValidator(schema: unknown): Validator | undefined {
  // The types of ArkType are functions.
  if (!isRecord(schema) && typeof schema !== 'function') return undefined;
  const standard: unknown = Reflect.get(schema, '~standard');
  if (!isRecord(standard)) return undefined;
  const { validate } = standard;
  if (typeof validate !== 'function') return undefined;
  return async (args) => {
    try {
      const result: unknown = await Reflect.apply(validate, standard, [args]);
      if (!isRecord(result)) return failed(args, [{ message: 'the schema returned no result' }]);
      const { issues, value } = result;
      if (!Array.isArray(issues)) return { ok: true, value };
      return failed(args, issues as readonly StandardIssue[]);
    } catch (error) {
      return failed(args, [{ message: error instanceof Error ? error.message : String(error) }]);
    }
  };
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function failed(args: JsonObject, issues: readonly StandardIssue[]): Validated {
  return { ok: false, issues: issues.map((issue) => toCheckIssue(issue, args)) };
}

function toCheckIssue({ message, path = [] }: StandardIssue, args: JsonObject): CheckIssue {
  const keys = path.map((part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'symbol' ? String(key) : key;
  });
  const where = keys.length === 0 ? 'the arguments' : showPath(keys);
  return {
    code: 'wrong-value',
    path: keys,
    message: `${where}: ${message}`,
    expected: message,
    received: showValue(valueAt(args, keys)),
  };
}

function valueAt(args: JsonObject, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (Reflect.get(value, key) as unknown)
        : undefined,
    args,
  ) as JsonValue | undefined;
}
