import type { JsonObject } from '@holdfast/core';
import { without } from './json/json-fields.ts';
import type { NormaliseRules } from './normalise-rules.ts';

const DEFERRED: ReadonlySet<string> = new Set(['defer_loading']);

/** The rules for tools that both protocols share. Returns undefined for a tool that is left out. */
export function normaliseOffer(
  tool: JsonObject,
  isHosted: boolean,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject | undefined {
  if (rules.hostedTools && isHosted) {
    applied.add('hostedTools');
    return undefined;
  }
  if (!rules.deferLoading || !Object.hasOwn(tool, 'defer_loading')) return tool;
  applied.add('deferLoading');
  return without(tool, DEFERRED);
}
