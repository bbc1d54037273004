import { isRecord, recordIn } from '../../internal/record.ts';
import type { UnknownRecord } from '../../internal/record.ts';

export { isRecord, recordIn };
export type { UnknownRecord };

/** The objects of a list; none if it is no list. */
export function recordsIn(value: unknown): UnknownRecord[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isRecord) : [];
}

/** A string that is not empty. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
