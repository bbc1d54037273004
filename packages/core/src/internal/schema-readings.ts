import type { JsonValue } from '../types.ts';
import {
  isBracketed,
  isNullText,
  isPlainJson,
  readBoolean,
  readNumber,
  readStrictJson,
} from './schema-text.ts';
import {
  ARRAY,
  BOOLEAN,
  FRACTION,
  INTEGER,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  typeOf,
} from './schema-types.ts';

/**
 * Reads an object or a list that is not quite JSON: a Python literal, single quotes. Returns undefined when
 * it cannot, or not without guessing or losing something.
 */
export type ParseLoose = (text: string) => JsonValue | undefined;

/** What a text can mean, of the kinds allowed, in the order they are tried. The text itself is left out. */
export function readingsOf(text: string, types: number, parseLoose?: ParseLoose): JsonValue[] {
  const trimmed = text.trim();
  const readings: JsonValue[] = [];
  if ((types & NULL) !== 0 && isNullText(trimmed)) readings.push(null);
  const number = numberIn(trimmed, types);
  if (number !== undefined) readings.push(number);
  const boolean = (types & BOOLEAN) === 0 ? undefined : readBoolean(trimmed);
  if (boolean !== undefined) readings.push(boolean);
  // `1` and `0` say yes and no only where they can say nothing else.
  if (types === BOOLEAN && (trimmed === '1' || trimmed === '0')) readings.push(trimmed === '1');
  const container = containerIn(trimmed, types, parseLoose);
  if (container !== undefined) readings.push(container);
  return readings;
}

function numberIn(trimmed: string, types: number): number | undefined {
  if ((types & NUMBER) === 0) return undefined;
  const mayBeText = (types & STRING) !== 0;
  const number = readNumber(trimmed, mayBeText ? 'json' : 'any');
  if (number === undefined) return undefined;
  if ((types & FRACTION) !== 0) return number;
  // Where a text is allowed too, `5.0` is no way to write a whole number.
  const isWhole = Number.isInteger(number) && (!mayBeText || /^-?\d+$/.test(trimmed));
  return isWhole && (types & INTEGER) !== 0 ? number : undefined;
}

function containerIn(
  trimmed: string,
  types: number,
  parseLoose?: ParseLoose,
): JsonValue | undefined {
  if ((types & (ARRAY | OBJECT)) === 0) return undefined;
  // Nothing written is nothing in it.
  if (trimmed === '' && types === ARRAY) return [];
  if (trimmed === '' && types === OBJECT) return {};
  if (!isBracketed(trimmed) && !trimmed.startsWith('(')) return undefined;
  const mayBeText = (types & STRING) !== 0;
  const value =
    readStrictJson(trimmed) ?? (mayBeText ? undefined : readLoosely(trimmed, parseLoose));
  return value !== undefined && (typeOf(value) & types & (ARRAY | OBJECT)) !== 0
    ? value
    : undefined;
}

/** The function comes from outside: it may throw, or read what JSON cannot say. */
function readLoosely(text: string, parseLoose: ParseLoose | undefined): JsonValue | undefined {
  try {
    const value = parseLoose?.(text);
    return value !== undefined && isPlainJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Another kind of value that says the same; undefined when there is none. */
export function convertValue(
  value: JsonValue,
  types: number,
  parseLoose?: ParseLoose,
): JsonValue | undefined {
  if (typeof value === 'string') return readingsOf(value, types, parseLoose)[0];
  if (typeof value === 'boolean' && (types & STRING) !== 0) return String(value);
  if (typeof value !== 'number') return undefined;
  // A fraction may have been written with zeros at its end, which a price or a version needs.
  if ((types & STRING) !== 0 && Number.isSafeInteger(value)) return String(value);
  return types === BOOLEAN && (value === 1 || value === 0) ? value === 1 : undefined;
}
