import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { ToolFailedError } from './tool-failed-error.ts';

/**
 * What a guarded tool returns to its SDK: its own value, also where that says it is an error. Throws what the
 * model has to hear where there is none, and the caller's own reason where it gave up.
 */
export function valueOfOutcome(outcome: ToolOutcome): unknown {
  if (outcome.ok || 'value' in outcome) return withAdvice(outcome);
  const { failure } = outcome;
  if (failure.class === 'cancelled') throw failure.cause;
  throw new ToolFailedError(outcome);
}

/** A text takes advice; what else a tool returns is not ours to change. */
function withAdvice({
  value,
  advice,
}: { readonly value?: unknown } & Pick<ToolOutcome, 'advice'>): unknown {
  return advice !== undefined && typeof value === 'string' ? `${value}\n\n${advice.text}` : value;
}
