import { isRecord, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';

/** Where integrations tell how an answer ended. */
const KEYS = ['finish_reason', 'stop_reason', 'done_reason', 'finishReason', 'stopReason'];

/** Words of OpenAI's Responses, which has them in a field where others say how far they are. */
const STATUSES: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

/** What says that an answer did not end by itself, in any provider's words. */
const CUT: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'model_length',
  'model_context_window_exceeded',
  'incomplete',
  'content_filter',
  'content_filtered',
  'guardrail_intervened',
  'refusal',
  'safety',
  'recitation',
  'blocklist',
  'prohibited_content',
  'spii',
  'malformed_function_call',
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
    const { status, messageStop } = place;
    if (STATUSES.has(status)) return textIn(status);
    // Bedrock, in streams.
    if (isRecord(messageStop)) return textIn(messageStop['stopReason']);
  }
  return undefined;
}

/** The fields alone that tell how an answer ended. */
export function finishOf(told: unknown): object {
  if (!isRecord(told)) return {};
  const fields = KEYS.filter((key) => textIn(told[key]) !== undefined);
  return Object.fromEntries(fields.map((key) => [key, told[key]]));
}

export function isCutBy(reason: string | undefined): boolean {
  return reason !== undefined && CUT.has(reason.toLowerCase());
}

/** Providers' words for an answer that ended by itself, and for one that ended in calls. */
const OF_CALLS: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'tool_calls'],
  ['end_turn', 'tool_use'],
]);

/** Words for an answer that ended in calls, and for one that ended by itself. */
const OF_NO_CALLS: ReadonlyMap<unknown, string> = new Map(
  [...OF_CALLS].map(([own, ofCalls]) => [ofCalls, String(own)]),
);

/** What is told of how an answer ended, as it fits what was found in it. */
export function toldOfCalls<Told>(told: Told, hasCalls: boolean): Told {
  if (!isRecord(told)) return told;
  const words = hasCalls ? OF_CALLS : OF_NO_CALLS;
  const changes = KEYS.flatMap((key) => {
    const reason = words.get((told as UnknownRecord)[key]);
    return reason === undefined ? [] : [[key, reason] as const];
  });
  return changes.length === 0 ? told : { ...told, ...Object.fromEntries(changes) };
}
