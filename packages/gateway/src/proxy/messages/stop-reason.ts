import type { FinishReason } from '../turn/finish-reason.ts';

const MEANINGS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['pause_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
]);

const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
};

/** What a `stop_reason` means; a word that is not known says no more than that the turn is over. */
export function readStopReason(word: string): FinishReason {
  return MEANINGS.get(word) ?? 'stop';
}

/**
 * The `stop_reason` to tell. Clients go by it to run tools, so calls that were told make it `tool_use`, unless
 * the turn was cut. `upstreamWord` stays where it means the same, as it may say more.
 */
export function stopReasonFor(
  reason: FinishReason,
  callCount: number,
  upstreamWord?: string,
): string {
  const right = rightReason(reason, callCount > 0);
  return upstreamWord !== undefined && readStopReason(upstreamWord) === right
    ? upstreamWord
    : WORDS[right];
}

function rightReason(reason: FinishReason, hasCalls: boolean): FinishReason {
  if (reason === 'length' || reason === 'content-filter') return reason;
  if (hasCalls) return 'tool-calls';
  return reason === 'tool-calls' ? 'stop' : reason;
}
