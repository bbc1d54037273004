import { BrokenLaw } from '../loop/fuzz-target.ts';

/** Throws unless the value is what JSON can say, with nothing inherited, and `Object.prototype` is as it was. */
export function expectJson(value: unknown): void {
  const problem =
    problemIn(value, 0) ?? (POLLUTED in {} ? 'every object has a new key' : undefined);
  if (problem !== undefined) throw new BrokenLaw('values are JSON', problem);
}

/** The key that inputs try to give to all objects. */
export const POLLUTED = 'polluted';

const DEEPEST = 300;

function problemIn(value: unknown, depth: number): string | undefined {
  if (depth > DEEPEST) return `nested more than ${DEEPEST} deep`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      // A number too large for JavaScript is infinite, as `JSON.parse` has it.
      return Number.isNaN(value) ? 'NaN is no number of JSON' : undefined;
    case 'object':
      break;
    default:
      return `${typeof value} is no JSON`;
  }
  if (value === null) return undefined;
  if (Array.isArray(value)) return firstProblem(value, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return 'an object has a prototype';
  return firstProblem(Object.values(value), depth);
}

function firstProblem(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const problem = problemIn(value, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
