import type { JsonValue } from '@holdfast/core';

/** A time as the gateway tells it, in milliseconds since 1970; NaN where it is none. */
export function readMoment(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
