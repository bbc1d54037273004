import { InvalidOptionError, ToolRenderError } from '../../errors.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { RenderableCall } from './render-dialect.ts';

/** Parsers stop at their limit of depth, and a dialect's own brackets count. */
const DEEPEST = DEFAULT_LIMITS.maxDepth - 8;

/** Throws unless the call has a name and its arguments are JSON. What is left is up to the dialect. */
export function checkRenderable(call: RenderableCall, format: string): void {
  const { name, arguments: args } = call as { readonly name: unknown; readonly arguments: unknown };
  if (typeof name !== 'string' || name === '' || name.trim() !== name) {
    throw new InvalidOptionError('name', 'a name without space around it', name);
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new InvalidOptionError(`arguments of ${name}`, 'an object', args);
  }
  const problem = problemIn(args, 0);
  if (problem !== undefined) {
    throw new ToolRenderError(`${format} cannot write the arguments of ${name}: ${problem}`);
  }
}

/** What JSON cannot say, or no parser reads. */
function problemIn(value: unknown, depth: number): string | undefined {
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
  if (depth > DEEPEST) return `they are nested more than ${DEEPEST} levels deep`;
  // A list is walked by its places: one that was never filled is not JSON either.
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    const problem = problemIn(member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
