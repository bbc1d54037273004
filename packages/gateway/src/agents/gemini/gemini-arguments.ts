import type { JsonObject } from '@holdfast/core';
import { objectOf, without } from '../../proxy/json/json-fields.ts';

/** When a call runs is no part of what it does. */
const WHEN: ReadonlySet<string> = new Set(['wait_for_previous']);

/** The arguments that tell one call from another. */
export function argumentsOf(input: unknown): JsonObject {
  return without(objectOf(input), WHEN);
}
