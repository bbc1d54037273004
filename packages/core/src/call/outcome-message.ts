import { FAILURE_RULES } from '../internal/failure-class.ts';
import type { Failure } from '../internal/failure-class.ts';

/** Longer messages of tools are cut: the model has its context to keep. */
const LONGEST_MESSAGE = 2000;

/**
 * What the model is told of a call that failed: what happened, in the tool's words, and what to do next. A
 * time is given both ways: models count badly, and clocks differ.
 */
export function outcomeMessage(tool: string, failure: Failure, wallTime: number): string {
  const { class: failureClass, message, retryAfterMs } = failure;
  // A veto is written for the model already.
  if (failure.code === 'vetoed') return message;
  const said = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
  const what =
    failureClass === 'refused'
      ? `${tool} was not called: ${failure.code === 'circuit-open' ? 'it has failed too often' : said}`
      : `${tool} failed (${failureClass}): ${said}`;
  const parts = [/[.!?…]$/.test(what) ? what : `${what}.`, FAILURE_RULES[failureClass].say];
  if (retryAfterMs === Infinity)
    parts.push(`Do not call ${tool} again: it was taken out of service.`);
  else if (retryAfterMs !== undefined && retryAfterMs > 0) {
    const at = new Date(wallTime + retryAfterMs).toISOString();
    const seconds = Math.ceil(retryAfterMs / 1000);
    parts.push(`Do not call ${tool} again before ${at} (in ${seconds} s).`);
  }
  return parts.join(' ');
}
