import { DEFAULT_LIMITS } from '../limits.ts';

/** Parsers stop at their limit of depth, and a dialect's own brackets count. */
const DEEPEST = DEFAULT_LIMITS.maxDepth - 8;

/** Why a value cannot be written as JSON, or would not be read; undefined when it can. */
export function jsonProblem(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `JSON has no ${value}`;
    case 'object':
      if (value === null) return undefined;
      break;
    default:
      return `JSON has no ${typeof value}`;
  }
  if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
  // A list is walked by its places: one that was never filled is not JSON either.
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    const problem = jsonProblem(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
