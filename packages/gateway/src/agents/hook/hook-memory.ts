import type { AdvicePart } from '@holdfast/core/advise';
import { isObject } from '../../proxy/json/json-fields.ts';

/** What is remembered of a conversation between two runs of the hook. */
export interface HookMemory {
  /** The state of its advisor. Whatever it is, `Advisor.restore` makes something of it. */
  readonly advisor: unknown;
  /** The ids of calls whose end was told, the newest last: hosts tell some twice, and transcripts tell all again. */
  readonly seen: readonly string[];
  /** Advice that could not be spoken yet. */
  readonly waiting: readonly AdvicePart[];
}

export const EMPTY_MEMORY: HookMemory = Object.freeze({
  advisor: undefined,
  seen: Object.freeze([]),
  waiting: Object.freeze([]),
});

/**
 * How much is kept: more ids than there are calls in the part of a transcript that is looked at, or old ones would
 * count again; a message is no place for more than two pieces of advice.
 */
export const MEMORY_BOUNDS: Readonly<Record<'seen' | 'waiting', number>> = Object.freeze({
  seen: 1000,
  waiting: 2,
});

/** What can be made of a value that was read back. What does not fit is left out. */
export function readHookMemory(value: unknown): HookMemory {
  if (!isObject(value)) return EMPTY_MEMORY;
  return {
    advisor: value['advisor'],
    seen: listIn(value['seen'])
      .filter((id) => typeof id === 'string')
      .slice(-MEMORY_BOUNDS.seen),
    waiting: listIn(value['waiting']).filter(isPart).slice(-MEMORY_BOUNDS.waiting),
  };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isPart(value: unknown): value is AdvicePart & { [key: string]: never } {
  return isObject(value) && typeof value['rule'] === 'string' && typeof value['text'] === 'string';
}
