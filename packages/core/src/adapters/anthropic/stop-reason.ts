/** Reasons that say that the model did not end its answer itself. */
const CUT: ReadonlySet<string> = new Set([
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
]);

export function isCutBy(reason: string): boolean {
  return CUT.has(reason);
}

/** Clients go by it to run tools: calls that were told make it `tool_use`, and no call another. */
export function stopReasonFor(said: string, hasCalls: boolean): string {
  if (said === 'tool_use') return hasCalls ? said : 'end_turn';
  const isEnd = said === '' || said === 'end_turn' || said === 'stop_sequence';
  if (isEnd && hasCalls) return 'tool_use';
  return said === '' ? 'end_turn' : said;
}
