import type { JsonValue } from '@holdfast/core';

/** Whether two lists hold the very same values, so that the older one can stay. */
export function isSameList(list: readonly JsonValue[], other: readonly JsonValue[]): boolean {
  return list.length === other.length && list.every((item, at) => item === other[at]);
}
