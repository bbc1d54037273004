import { credentialsIn } from '../log/credentials-in.ts';
import type { TurnEnded } from '../observe/gateway-event.ts';
import type { Reporter } from '../observe/reporter.ts';
import { LONGEST_LINE } from '../observe/short-line.ts';
import type { TurnReport } from './report-turn.ts';

/** Names are made up by clients and models. */
const MOST_CALLS = 100;
const MOST_ISSUES = 20;

/** What those who watch are told of a turn: how it went, and nothing of what was said in it. */
export function turnEnded(report: TurnReport, to: Reporter): TurnEnded {
  const { exchange, client, request, result, advised, durationMs, firstByteMs } = report;
  const { record, notes, plan } = result;
  const { measuredUsage: usage, error } = record;
  const hasTexts = error !== undefined || notes.issues.length > 0;
  const credentials = hasTexts ? credentialsIn(exchange.request.headers) : [];
  return {
    type: 'turn-ended',
    id: exchange.id,
    protocol: client.name,
    model: request.model.slice(0, LONGEST_LINE),
    upstream: plan?.candidate.upstream.config.name,
    status: result.status,
    isStream: request.stream,
    tools: request.tools.length,
    calls: record.calls
      .slice(0, MOST_CALLS)
      .map(({ name }) => ({ name: name.slice(0, LONGEST_LINE) })),
    formats: [...notes.formats],
    repairs: [...notes.repairs],
    issues: notes.issues
      .slice(0, MOST_ISSUES)
      .map(({ code, message }) => ({ code, message: to.line(message, credentials) })),
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
    error:
      error === undefined
        ? undefined
        : { kind: error.kind, message: to.line(error.message, credentials) },
    isAborted: exchange.signal.aborted,
  };
}
