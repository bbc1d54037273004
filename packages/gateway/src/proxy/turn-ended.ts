import type { TurnEnded } from '../observe/gateway-event.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { TurnReport } from './report-turn.ts';

/** Names are made up by clients and models. */
const MOST_CALLS = 100;
const MOST_ISSUES = 20;

/** What those who watch are told of a turn: how it went, and nothing of what was said in it. */
export function turnEnded(report: TurnReport, to: Reporter): TurnEnded {
  const { exchange, client, request, result, advised, durationMs, firstByteMs } = report;
  const { record, notes, plan } = result;
  const { measuredUsage: usage, error } = record;
  const line = (text: string): string => to.line(text, exchange.redactor);
  return {
    type: 'turn-ended',
    id: exchange.id,
    protocol: client.name,
    model: line(request.model),
    upstream: plan?.candidate.upstream.config.name,
    status: result.status,
    isStream: request.stream,
    tools: request.tools.length,
    calls: record.calls.slice(0, MOST_CALLS).map(({ name }) => ({ name: line(name) })),
    formats: [...notes.formats],
    repairs: [...notes.repairs],
    issues: notes.issues
      .slice(0, MOST_ISSUES)
      .map(({ code, message }) => ({ code, message: line(message) })),
    normalised: plan?.translated.applied ?? [],
    promptedIn: plan?.promptedIn,
    advice: advised?.rules ?? [],
    wasAskedAgain: result.wasAskedAgain,
    attempts: result.attempts,
    finish: record.finish,
    durationMs,
    firstByteMs,
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    error: error === undefined ? undefined : { kind: error.kind, message: line(error.message) },
    isAborted: exchange.signal.aborted,
  };
}
