import { ANNOTATIONS, CHECKED_KEYWORDS } from '../internal/schema-keywords.ts';

/** The keywords of JSON Schema that are held against values, and those that only tell something. */
export const SUPPORTED_KEYWORDS: {
  readonly checked: readonly string[];
  readonly annotations: readonly string[];
} = Object.freeze({
  checked: Object.freeze(Object.keys(CHECKED_KEYWORDS)),
  annotations: ANNOTATIONS,
});
