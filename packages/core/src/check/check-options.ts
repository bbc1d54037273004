import { InvalidOptionError } from '../errors.ts';
import type { ParseLoose } from '../internal/schema-readings.ts';

/** How a call is checked. */
export interface CheckOptions {
  /** Whether safe mistakes are set right; without, they are told as issues. @defaultValue true */
  readonly fix?: boolean;
  /**
   * Reads an object or array that came as text and is not quite JSON. Return undefined where that would
   * be guesswork. @defaultValue only JSON is read
   */
  readonly parseLoose?: ParseLoose;
}

/** How a call is checked unless told otherwise. */
export const CHECK_DEFAULTS: Readonly<Required<Pick<CheckOptions, 'fix'>>> = Object.freeze({
  fix: true,
});

/** Throws on an option that does not exist or cannot have its value, naming both. */
export function checkOptions(options: CheckOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (name !== 'fix' && name !== 'parseLoose')
      throw new InvalidOptionError('options', 'only fix, parseLoose', name);
    const type = name === 'fix' ? 'boolean' : 'function';
    if (value !== undefined && typeof value !== type)
      throw new InvalidOptionError(name, `a ${type}`, value);
  }
}
