import { InvalidOptionError, ToolRenderError } from '../../errors.ts';
import { jsonProblem } from './json-problem.ts';

/** Throws unless a name is one, and what belongs to it is JSON. What is left is up to the dialect. */
export function checkRenderable(format: string, name: unknown, what: string, value: unknown): void {
  if (typeof name !== 'string' || name === '' || name.trim() !== name) {
    throw new InvalidOptionError('name', 'a name without space around it', name);
  }
  const problem = jsonProblem(value);
  if (problem !== undefined) {
    throw new ToolRenderError(`${format} cannot write the ${what} of ${name}: ${problem}`);
  }
}
