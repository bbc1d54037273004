import { labelLookAlikes, maskSecrets } from '@holdfast/core/advise';
import { FAILURE_RULES, ToolTimeoutError } from '@holdfast/core/guard';
import type { CircuitMetadata, Failure } from '@holdfast/core/guard';
import type { PluginViolation } from '../../plugins/plugin.ts';

/** What a server says of its failure is quoted, never repeated at length: it is not ours. */
const LONGEST_QUOTE = 200;

/** What the model is told of a call that was sent and has no result: what happened, and what to do next. */
export function failureText(tool: string, failure: Failure, wallTime: number): string {
  const { class: failureClass, cause, retryAfterMs = 0 } = failure;
  const what =
    cause instanceof ToolTimeoutError
      ? `${tool} did not answer within ${seconds(cause.timeoutMs)} s.`
      : `${tool} failed (${failureClass}): "${quoted(failure.message)}".`;
  return sentences(
    what,
    FAILURE_RULES[failureClass].say,
    notBefore(tool, retryAfterMs, wallTime, false),
  );
}

/** Why a circuit refused a call. */
export interface CircuitRefusal {
  readonly tool: string;
  /** The server, where it is the one that fails; undefined where only the tool does. */
  readonly server: string | undefined;
  readonly retryAfterMs: number;
  readonly metadata: CircuitMetadata;
  /** Whether the circuit takes no calls because the store that it shares is away. */
  readonly isStoreLost: boolean;
  /** What somebody said who isolated the circuit; undefined where it opened by itself. */
  readonly isolatedFor: string | undefined;
  /** What may be called in its place. */
  readonly near: readonly string[];
}

/** What the model is told of a call that a circuit refused. */
export function refusalText(refusal: CircuitRefusal, wallTime: number): string {
  const { tool, server, retryAfterMs, near } = refusal;
  const who = server === undefined ? 'it' : `its server ${server}`;
  return sentences(
    `${tool} was not called: ${who} ${whyRefused(refusal)}.`,
    notBefore(tool, retryAfterMs, wallTime, true),
    instead(near),
  );
}

/** What the model is told of a call that a plugin stopped. */
export function violationText(
  tool: string,
  { description, reason, details }: PluginViolation,
  wallTime: number,
): string {
  const { retry_after_seconds: wait } = details;
  const waitMs = typeof wait === 'number' ? wait * 1000 : 0;
  const what = description === '' ? reason : description;
  // Our own circuit breaker says it already.
  const isSaid = what.includes('Do not call');
  const when = waitMs > 0 && !isSaid ? notBefore(tool, waitMs, wallTime, true) : '';
  return sentences(/[.!?]$/.test(what) ? what : `${what}.`, when);
}

function whyRefused({ isStoreLost, isolatedFor, metadata }: CircuitRefusal): string {
  if (isStoreLost)
    return 'takes no calls while the gateway cannot reach the store that it shares with others';
  if (isolatedFor !== undefined)
    return `was taken out of service by hand${isolatedFor === '' ? '' : ` (${isolatedFor})`}`;
  const { circuit_half_open: isHalfOpen, circuit_consecutive_failures: inARow } = metadata;
  if (isHalfOpen)
    return 'has failed too often, and another call is finding out if it is well again';
  const { circuit_failures_in_window: failures, circuit_calls_in_window: calls } = metadata;
  if (inARow > 1) return `failed ${inARow} times in a row`;
  return failures > 0 ? `failed in ${failures} of ${calls} calls` : 'has failed too often';
}

/** A time is given both ways: models count badly, and clocks differ. */
function notBefore(tool: string, waitMs: number, wallTime: number, always: boolean): string {
  // A time that no calendar has is no time either.
  if (waitMs > LONGEST_WAIT_MS) return `Do not call ${tool} again: it was taken out of service.`;
  if (!(waitMs > 0) && !always) return '';
  // Whoever comes when the text says must not be too early.
  const wait = Math.max(1, Math.ceil(waitMs / 1000));
  const at = new Date(wallTime + Math.max(waitMs, 1)).toISOString();
  return `Do not call ${tool} again before ${at} (in ${wait} s).`;
}

const LONGEST_WAIT_MS = 10 * 365 * 24 * 3_600_000;

function instead(near: readonly string[]): string {
  if (near.length === 0) return 'Use another tool or go on without it.';
  return `Tools with a similar name: ${near.join(', ')}. Use one of them if it fits, or go on without it.`;
}

/** On one line already; here without secrets and without what would end the quotation. */
function quoted(message: string): string {
  const said = labelLookAlikes(message.slice(0, LONGEST_READ));
  const plain = maskSecrets(said).replace(/["<>`]/g, "'");
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain;
}

const LONGEST_READ = 1000;

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}
