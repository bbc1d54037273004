import type { JsonObject, JsonValue } from '@holdfast/core';

/** A part of an item that is text. */
export type PartKind = 'output_text' | 'refusal' | 'summary_text' | 'reasoning_text';

/** How a part of one kind is told. */
export interface PartWords {
  /** The list of the item that it stands in, and the field that counts it there. */
  readonly list: 'content' | 'summary';
  readonly indexField: 'content_index' | 'summary_index';
  readonly added: string;
  readonly delta: string;
  readonly said: string;
  readonly done: string;
  /** The field that holds its text. */
  readonly field: 'text' | 'refusal';
  /** What its deltas and their sum have besides. */
  readonly extra: JsonObject;
}

/** A part with nothing in it. */
export function emptyPart(kind: PartKind): JsonObject {
  if (kind === 'refusal') return { type: kind, refusal: '' };
  return kind === 'output_text'
    ? { type: kind, annotations: [], logprobs: [], text: '' }
    : { type: kind, text: '' };
}

/** Whether a part is of a kind that is known. */
export function isPartKind(kind: JsonValue | undefined): kind is PartKind {
  return typeof kind === 'string' && Object.hasOwn(PART_WORDS, kind);
}

const CONTENT = {
  list: 'content',
  indexField: 'content_index',
  added: 'response.content_part.added',
  done: 'response.content_part.done',
} as const;

/** The events of each kind of part. */
export const PART_WORDS: Readonly<Record<PartKind, PartWords>> = Object.freeze({
  output_text: {
    ...CONTENT,
    delta: 'response.output_text.delta',
    said: 'response.output_text.done',
    field: 'text',
    extra: { logprobs: [] },
  },
  refusal: {
    ...CONTENT,
    delta: 'response.refusal.delta',
    said: 'response.refusal.done',
    field: 'refusal',
    extra: {},
  },
  summary_text: {
    list: 'summary',
    indexField: 'summary_index',
    added: 'response.reasoning_summary_part.added',
    delta: 'response.reasoning_summary_text.delta',
    said: 'response.reasoning_summary_text.done',
    done: 'response.reasoning_summary_part.done',
    field: 'text',
    extra: {},
  },
  reasoning_text: {
    ...CONTENT,
    delta: 'response.reasoning_text.delta',
    said: 'response.reasoning_text.done',
    field: 'text',
    extra: {},
  },
});
