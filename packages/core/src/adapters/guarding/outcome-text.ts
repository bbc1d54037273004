import type { ToolOutcome } from '../../call/tool-outcome.ts';

/** What the model is told of a call that failed, with the advice that there is. */
export function outcomeText({ message, advice }: Extract<ToolOutcome, { ok: false }>): string {
  return advice === undefined ? message : `${message}\n\n${advice.text}`;
}
