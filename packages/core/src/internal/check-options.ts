import { InvalidOptionError } from '../errors.ts';

/** Says what is expected when a value is wrong, nothing when it is right. */
export type OptionRule = (value: unknown) => string | undefined;

/**
 * Throws on an option that does not exist or cannot have its value, naming it, the value and what was
 * expected. An option that is `undefined` was left out.
 */
export function checkOptions(
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
  of: string,
): void {
  const expectedOptions = object(options);
  if (expectedOptions !== undefined) throw new InvalidOptionError(of, expectedOptions, options);
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw new InvalidOptionError(`${of}.${name}`, `an option that exists (${known})`, value);
    }
    const expected = value === undefined ? undefined : rule(value);
    if (expected !== undefined) throw new InvalidOptionError(`${of}.${name}`, expected, value);
  }
}

/** A whole number of at least `least`. */
export const count =
  (least: number): OptionRule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? undefined
      : `a whole number of at least ${least}`;

/** As `count`, or Infinity, which switches a rule off. */
export const countOrOff =
  (least: number): OptionRule =>
  (value) =>
    value === Infinity ? undefined : count(least)(value) && `${count(least)(value)}, or Infinity`;

/** A number of milliseconds of at least `least`. */
export const duration =
  (least = 0): OptionRule =>
  (value) =>
    typeof value === 'number' && value >= least && value < Infinity
      ? undefined
      : `milliseconds, at least ${least}`;

export const durationOrOff =
  (least = 0): OptionRule =>
  (value) =>
    value === Infinity
      ? undefined
      : duration(least)(value) && `${duration(least)(value)}, or Infinity`;

/** A share above 0 and up to 1. */
export const ratio: OptionRule = (value) =>
  typeof value === 'number' && value > 0 && value <= 1 ? undefined : 'a number above 0 and up to 1';

export const ratioOrOff: OptionRule = (value) =>
  value === Infinity || ratio(value) === undefined ? undefined : `${ratio(value)}, or Infinity`;

/** A number between `least` and `most`. */
export const between =
  (least: number, most: number): OptionRule =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? undefined
      : `a number from ${least} to ${most}`;

export const flag: OptionRule = (value) =>
  typeof value === 'boolean' ? undefined : 'true or false';

export const text: OptionRule = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty';

export const callable: OptionRule = (value) =>
  typeof value === 'function' ? undefined : 'a function';

export const object: OptionRule = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'an object';

export const oneOf =
  (...choices: readonly (string | boolean)[]): OptionRule =>
  (value) =>
    (choices as readonly unknown[]).includes(value)
      ? undefined
      : choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : choice)).join(' or ');
