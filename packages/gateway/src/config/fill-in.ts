import type { z } from 'zod';
import { expandVariables } from './expand-variables.ts';
import type { Environment, ExpandedText } from './expand-variables.ts';
import type { BrokenRule } from './read-issue.ts';

/** What a file says, with variables filled in. */
export interface FilledIn {
  readonly value: unknown;
  readonly problems: readonly BrokenRule[];
  /** The places whose text came from a variable. */
  readonly expanded: ReadonlySet<string>;
}

/**
 * Fills variables into the texts of what was read from a file: behind the YAML, so that a value can become no
 * more than a value. Keys that say nothing are left out, as a section is whose lines are all comments.
 */
export function fillIn(
  root: unknown,
  env: Environment,
  expand: (text: string, env: Environment) => ExpandedText = expandVariables,
): FilledIn {
  const problems: BrokenRule[] = [];
  const expanded = new Set<string>();
  const fill = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).filter(([, inner]) => inner !== null);
      return Object.fromEntries(entries.map(([key, inner]) => [key, fill(inner, [...path, key])]));
    }
    if (typeof value !== 'string') return value;
    const filled = expand(value, env);
    if (!filled.ok) {
      problems.push({ path, message: filled.problem, isKey: false });
      return value;
    }
    if (filled.expanded) expanded.add(placeKey(path));
    return filled.text;
  };
  return { value: fill(root, []), problems, expanded };
}

/**
 * What came from a variable is text. Where a number or true or false was expected and the text is one, it is
 * taken for that; undefined when there is no such place.
 */
export function retype(
  { value, expanded }: FilledIn,
  issues: readonly z.core.$ZodIssue[],
): unknown {
  const kinds = new Map(issues.flatMap(kindsExpected).filter(([place]) => expanded.has(place)));
  if (kinds.size === 0) return undefined;
  const walk = (at: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(at)) return at.map((item, index) => walk(item, [...path, index]));
    if (typeof at === 'object' && at !== null) {
      return Object.fromEntries(
        Object.entries(at).map(([key, inner]) => [key, walk(inner, [...path, key])]),
      );
    }
    return typeof at === 'string' ? typed(at, kinds.get(placeKey(path))) : at;
  };
  return walk(value, []);
}

function kindsExpected(issue: z.core.$ZodIssue): [place: string, kind: string][] {
  if (issue.code === 'invalid_union') {
    return issue.errors.flat().flatMap((inner) => {
      const path = [...issue.path, ...inner.path];
      return inner.code === 'invalid_type' ? [[placeKey(path), inner.expected]] : [];
    });
  }
  return issue.code === 'invalid_type' ? [[placeKey(issue.path), issue.expected]] : [];
}

function typed(text: string, kind: string | undefined): unknown {
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if ((kind === 'number' || kind === 'int') && /^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function placeKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
