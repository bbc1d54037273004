import type { z } from 'zod';
import { didYouMean } from '../cli/nearest.ts';
import { namesAt } from './known-keys.ts';
import { maskUrl } from '../redact/redactor.ts';

/** A rule of the schema that a file broke. */
export interface BrokenRule {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The key itself is wrong, not what it says. */
  readonly isKey: boolean;
}

/**
 * What an issue of zod means for people: what was expected and what arrived, which it does not tell by itself.
 * `schema` is the one that was broken.
 */
export function readIssue(
  issue: z.core.$ZodIssue,
  root: unknown,
  schema: z.ZodType,
): readonly BrokenRule[] {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], schema));
    case 'invalid_key': {
      const expected = issue.issues[0]?.message ?? 'another name';
      return [{ path, message: `expected ${expected}`, isKey: true }];
    }
    case 'invalid_union': {
      // The alternative that was meant is the one that got further than the kind of the value.
      const meant = issue.errors.find((issues) =>
        issues.every(({ code }) => !isKind(code, issues)),
      );
      if (meant === undefined) break;
      return meant.flatMap((inner) =>
        readIssue({ ...inner, path: [...path, ...inner.path] }, root, schema),
      );
    }
    default:
  }
  const value = valueAt(root, path);
  const suggestion = issue.code === 'invalid_value' ? nearWord(value, issue.values) : '';
  const message = `expected ${issue.message}, got ${describe(value, path)}${suggestion}`;
  return [{ path, message, isKey: false }];
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

function isKind(code: string, issues: readonly z.core.$ZodIssue[]): boolean {
  return code === 'invalid_type' && issues.some(({ path }) => path.length === 0);
}

function unknownKey(path: readonly PropertyKey[], schema: z.ZodType): BrokenRule {
  const known = namesAt(schema, path.slice(0, -1));
  return { path, message: unknownKeyMessage(String(path.at(-1)), known), isKey: true };
}

/** What is said of a key that does not exist: the one that was meant, or all there are. */
export function unknownKeyMessage(key: string, known: readonly string[]): string {
  const suggestion = didYouMean(key, known);
  return `unknown key${suggestion === '' ? `; expected ${known.join(', ')}` : suggestion}`;
}

/** The word that was meant, of those that are allowed. */
function nearWord(value: unknown, words: readonly unknown[]): string {
  return typeof value === 'string' ? didYouMean(value, words.map(String)) : '';
}

/** What arrived, in words. What may be a secret is not repeated. */
function describe(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a section';
  if (value === '') return 'empty text';
  const isSecret = path.some((step) => SECRETS.has(String(step)));
  if (isSecret) return typeof value === 'string' ? 'other text' : `a ${typeof value}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  const shown = maskUrl(value);
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown);
}

const SECRETS: ReadonlySet<string> = new Set([
  'adviceKey',
  'apiKey',
  'args',
  'env',
  'headers',
  'token',
]);
