import { checkOptions, countOrOff, oneOf } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';

/** How `parseJson` reads a text. */
export interface ParseJsonOptions {
  /** Brackets that may be open at once. @defaultValue 128 */
  readonly maxDepth?: number;
  /**
   * What the text holds. With `call`, a string that holds a whole call or its arguments is unwrapped, and
   * of several objects in prose the one that names a tool is taken. @defaultValue 'value'
   */
  readonly expect?: 'value' | 'call';
}

export const NO_JSON_OPTIONS: ParseJsonOptions = Object.freeze({});

const RULES: Readonly<Record<keyof ParseJsonOptions, OptionRule>> = {
  maxDepth: countOrOff(1),
  expect: oneOf('value', 'call'),
};

/** Throws on an option that does not exist or cannot have its value, naming both. */
export function checkParseJsonOptions(options: ParseJsonOptions): void {
  if (options !== NO_JSON_OPTIONS) checkOptions(options, RULES, 'options');
}
