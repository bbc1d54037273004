import type { JsonValue } from '../types.ts';

/** Where in a value: keys and positions from the outside in. */
export type ValuePath = readonly (string | number)[];

export type ProblemCode =
  | 'wrong-type'
  | 'wrong-value'
  | 'missing'
  | 'unknown-key'
  | 'out-of-range'
  | 'wrong-pattern'
  | 'duplicate-items'
  | 'no-match';

/** One way in which a value does not fit its schema. */
export interface SchemaProblem {
  readonly code: ProblemCode;
  readonly path: ValuePath;
  readonly expected: string;
  readonly received: string;
  /** The names that would have been right, or the values: the nearest is worth suggesting. */
  readonly known?: readonly string[];
}

const SHOWN_LENGTH = 60;
const SHOWN_KEYS = 8;

/** A value in a few words, for a message: `"abc"`, `an object with the keys a, b`. */
export function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return 'an empty object';
    const more = keys.length > SHOWN_KEYS ? ', …' : '';
    return `an object with ${keys.slice(0, SHOWN_KEYS).map(cut).join(', ')}${more}`;
  }
  return typeof value === 'string' ? `the string ${JSON.stringify(cut(value))}` : String(value);
}

/** A value as JSON, cut where it is long. */
export function showJson(value: JsonValue): string {
  const json =
    typeof value === 'object' && value !== null ? showValue(value) : JSON.stringify(value);
  return cut(json);
}

function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** A path as a person writes it: `filters[0].field`. */
export function showPath(path: ValuePath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const isPlain = /^[\w$-]{1,64}$/.test(part);
    if (!isPlain) return `${text}[${JSON.stringify(cut(part))}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
