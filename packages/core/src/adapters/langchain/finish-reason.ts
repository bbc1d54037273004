import { isRecord, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';

/** Where integrations tell how an answer ended. */
const KEYS = ['finish_reason', 'stop_reason', 'done_reason', 'finishReason', 'stopReason'];

/** What says that an answer did not end by itself, in any provider's words. */
const CUT: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'model_length',
  'model_context_window_exceeded',
  'content_filter',
  'refusal',
  'safety',
  'recitation',
  'error',
]);

/** How an answer ended: undefined while it goes on, or where nobody says. */
export function finishIn(...places: readonly unknown[]): string | undefined {
  for (const place of places) {
    if (!isRecord(place)) continue;
    for (const key of KEYS) {
      const reason = textIn(place[key]);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

export function isCutBy(reason: string | undefined): boolean {
  return reason !== undefined && CUT.has(reason.toLowerCase());
}

/** Providers' words for an answer that ended by itself, and for one that ended in calls. */
const OF_CALLS: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'tool_calls'],
  ['end_turn', 'tool_use'],
]);

/** What is told of an answer, where it turned out to end in calls. */
export function toldOfCalls<Told>(told: Told): Told {
  if (!isRecord(told)) return told;
  const changes = KEYS.flatMap((key) => {
    const reason = OF_CALLS.get((told as UnknownRecord)[key]);
    return reason === undefined ? [] : [[key, reason] as const];
  });
  return changes.length === 0 ? told : { ...told, ...Object.fromEntries(changes) };
}
