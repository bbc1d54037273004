import { InvalidOptionError } from '../errors.ts';

/** Throws where a text was expected and something else was given, as plain JavaScript may. */
export function checkText(text: unknown, name = 'text'): asserts text is string {
  if (typeof text !== 'string') throw new InvalidOptionError(name, 'a string', text);
}
