import type { HttpExchange } from '../http/http-exchange.ts';
import type { Captures } from '../observe/captures.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { TraceRecord } from '../trace/trace-record.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import type { AdvisedRequest } from './advise/advise-request.ts';
import type { CapturedTurn } from './capture/captured-turn.ts';
import type { ClientProtocol, ClientRequest } from './client-protocol.ts';
import type { TurnResult } from './relay-turn.ts';
import { turnEnded } from './turn-ended.ts';

export interface TurnReport {
  readonly exchange: HttpExchange;
  readonly client: ClientProtocol;
  readonly request: ClientRequest;
  readonly result: TurnResult;
  readonly advised: AdvisedRequest | undefined;
  readonly durationMs: number;
  /** Until the first byte of the answer; undefined where none came. */
  readonly firstByteMs: number | undefined;
  /** What was said; undefined where it is not kept. */
  readonly captured: CapturedTurn | undefined;
}

/** Who is told of turns. */
export interface TurnListeners {
  readonly trace?: TraceWriter;
  readonly report?: Reporter;
  readonly captures?: Captures;
}

/** Logs how a turn went, in one line without what was said in it, and tells those who want to know more. */
export function reportTurn(turn: TurnReport, { trace, report, captures }: TurnListeners): void {
  logTurn(turn);
  void trace?.write(recordOf(turn));
  if (report === undefined) return;
  const ended = turnEnded(turn, report);
  const { captured, request, exchange } = turn;
  if (captured !== undefined) captures?.keep(ended, captured, request, exchange.redactor);
  report.emit(ended);
}

function logTurn(report: TurnReport): void {
  const { exchange, client, request, result, advised, durationMs } = report;
  const { plan, notes, attempts } = result;
  const { log } = exchange;
  const normalised = plan?.translated.applied ?? [];
  const fields = {
    protocol: client.name,
    model: request.model,
    upstream: plan?.candidate.upstream.config.name,
    status: result.status,
    stream: request.stream,
    tools: request.tools.length,
    calls: notes.callCount,
    finish: result.record.finish,
    durationMs: Math.round(durationMs),
    ...(notes.formats.size > 0 && { formats: [...notes.formats] }),
    ...(notes.repairs.size > 0 && { repairs: [...notes.repairs] }),
    ...(normalised.length > 0 && { normalised }),
    ...(plan?.promptedIn !== undefined && { promptedIn: plan.promptedIn }),
    ...(advised !== undefined && { advice: advised.rules }),
    ...(result.wasAskedAgain && { askedAgain: true }),
    ...(attempts > 1 && { attempts }),
  };
  for (const { code, message } of notes.issues) log.debug({ code }, message);
  const { error } = result.record;
  if (error !== undefined) log.warn({ ...fields, kind: error.kind }, error.message);
  else if (exchange.signal.aborted) log.info(fields, 'the client went away');
  else log.info(fields, 'turn');
}

function recordOf(report: TurnReport): TraceRecord {
  const { exchange, client, request, result, advised, durationMs } = report;
  const { record, notes, plan } = result;
  const { name = '', url = '' } = plan?.candidate.upstream.config ?? {};
  return {
    id: exchange.id,
    request: {
      protocol: client.name,
      model: request.model,
      path: exchange.path,
      headers: exchange.request.headers,
      body: request.body,
    },
    upstream: { name, url, status: result.upstreamStatus },
    response: {
      status: result.status,
      text: record.text,
      reasoning: record.reasoning,
      tool_calls: record.calls.map(({ id, name: tool, arguments: args }) => ({
        id,
        name: tool,
        arguments: args,
      })),
      finish_reason: record.finish,
      format: [...notes.formats],
      repairs: [...notes.repairs],
      issues: notes.issues,
      usage: record.usage,
      ...(record.error !== undefined && { error: record.error }),
    },
    ...(advised !== undefined && { advice: advised.log }),
    durationMs,
  };
}
