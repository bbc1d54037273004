import type { JsonObject } from '../../../types.ts';

/** How a part of an item is told. */
interface PartWords {
  /** The field of the item that lists such parts. */
  readonly list: 'content' | 'summary';
  readonly indexField: 'content_index' | 'summary_index';
  readonly added: string;
  readonly delta: string;
  /** Its text is over. */
  readonly said: string;
  readonly done: string;
  /** The field that has its text. */
  readonly field: 'text' | 'refusal';
  readonly empty: JsonObject;
  /** What events about its text have besides. */
  readonly extra: JsonObject;
}

const CONTENT = {
  list: 'content',
  indexField: 'content_index',
  added: 'response.content_part.added',
  done: 'response.content_part.done',
} as const;

/** The parts that are made here: what the model says, what it refuses, and what it thinks. */
export type PartKind = 'output_text' | 'refusal' | 'summary_text';

export const PART_WORDS: Readonly<Record<PartKind, PartWords>> = {
  output_text: {
    ...CONTENT,
    delta: 'response.output_text.delta',
    said: 'response.output_text.done',
    field: 'text',
    empty: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    extra: { logprobs: [] },
  },
  refusal: {
    ...CONTENT,
    delta: 'response.refusal.delta',
    said: 'response.refusal.done',
    field: 'refusal',
    empty: { type: 'refusal', refusal: '' },
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
    empty: { type: 'summary_text', text: '' },
    extra: {},
  },
};
