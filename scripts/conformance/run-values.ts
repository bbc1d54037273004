import { coerceValue, valueFromText } from '@holdfast/core/check';
import type { JsonValue } from '@holdfast/core/check';
import { parseJson } from '@holdfast/core/parse';
import { matches } from './matches.ts';
import type { Difference } from './run-tool-call.ts';
import type { ValueVector } from './vector.ts';

export interface ValueOutcome {
  readonly verdict: 'exact' | 'wrong';
  readonly difference?: Difference;
}

/** Reads a value by its schema: as a text that was written, or as a value that has a type already. */
export function runValue({ id, input, schema, isText, expected }: ValueVector): ValueOutcome {
  const got =
    isText && typeof input === 'string'
      ? valueFromText(input, schema, { parseLoose })
      : coerceValue(input, schema ?? true, { parseLoose }).value;
  if (matches(expected, got)) return { verdict: 'exact' };
  return { verdict: 'wrong', difference: { id, what: 'value', expected, got } };
}

/** JSON with mistakes that lose nothing. */
function parseLoose(text: string): JsonValue | undefined {
  const read = parseJson(text);
  const isSure =
    read.ok && read.complete && !read.lossy && !read.repairs.includes('surrounding-text');
  return isSure ? read.value : undefined;
}
