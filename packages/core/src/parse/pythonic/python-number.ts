import { losesDigits } from '../../internal/schema-text.ts';

export interface PythonNumber {
  /** The number; its digits as a string where a double would change or lose them. */
  readonly value: number | string;
  /** Whether Python would not have taken it, as `07`. */
  readonly isMended: boolean;
}

const WHOLE = /^\d[\d_]*$/;
const FRACTION = /^(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?$/;
const OTHER_BASE = /^0(?:[xX]_?[\da-fA-F][\da-fA-F_]*|[oO]_?[0-7][0-7_]*|[bB]_?[01][01_]*)$/;

/** What a number without sign says in Python; undefined when it is none. */
export function readPythonNumber(text: string): PythonNumber | undefined {
  const digits = text.includes('_') ? text.replaceAll('_', '') : text;
  if (WHOLE.test(text)) return readWhole(digits);
  if (OTHER_BASE.test(text)) {
    const value = Number(digits);
    const isExact = Number.isSafeInteger(value);
    return { value: isExact ? value : BigInt(digits).toString(), isMended: false };
  }
  if (!FRACTION.test(text)) return undefined;
  const value = Number(digits);
  return { value: losesDigits(digits, value) ? digits : value, isMended: false };
}

function readWhole(digits: string): PythonNumber {
  const value = Number(digits);
  const isExact = !losesDigits(digits, value);
  const isMended = digits.startsWith('0') && value !== 0;
  if (isExact) return { value, isMended };
  let from = 0;
  while (digits.charAt(from) === '0') from++;
  return { value: digits.slice(from), isMended };
}
