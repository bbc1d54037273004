import { InvalidOptionError } from '../errors.ts';
import { object } from '../internal/check-options.ts';

/** What a parser may take. Every limit is per registry or per parser; going past one loses no text. */
export interface ParseLimits {
  /** UTF-8 bytes of one call's body. */
  readonly maxCallBytes: number;
  /** UTF-8 bytes of one message; what comes after passes through as text, unparsed. */
  readonly maxInputBytes: number;
  /** Brackets open at once inside a call. */
  readonly maxDepth: number;
  /** Milliseconds for one `feed`: the last resort, behind a work budget that does not depend on the machine. */
  readonly timeoutMs: number;
}

/** What a text may cost unless told otherwise. */
export const DEFAULT_LIMITS: ParseLimits = Object.freeze({
  maxCallBytes: 1_048_576,
  maxInputBytes: 4_194_304,
  maxDepth: 128,
  timeoutMs: 100,
});

/** `overrides` over `base`; a value that cannot work throws, naming it. */
export function resolveLimits(
  overrides: Partial<ParseLimits> | undefined,
  base: ParseLimits = DEFAULT_LIMITS,
): ParseLimits {
  if (overrides === undefined) return base;
  const expected = object(overrides);
  if (expected !== undefined) throw new InvalidOptionError('limits', expected, overrides);
  const entries: [string, unknown][] = Object.entries(overrides);
  for (const [name, value] of entries) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new InvalidOptionError(
        'limits',
        `only ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
        name,
      );
    }
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value > 0))
      throw new InvalidOptionError(name, 'a number above 0', value);
  }
  const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return Object.freeze({ ...base, ...given });
}
