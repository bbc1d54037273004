import type { HttpExchange } from '../http/http-exchange.ts';
import type { TraceRecord } from '../trace/trace-record.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import type { ClientProtocol, ClientRequest, TranslatedRequest } from './client-protocol.ts';
import type { TurnResult } from './relay-turn.ts';
import type { TurnNotes } from './turn/turn-notes.ts';
import type { UpstreamClient } from './upstream/upstream-client.ts';

export interface TurnReport {
  readonly exchange: HttpExchange;
  readonly client: ClientProtocol;
  readonly request: ClientRequest;
  readonly upstream: UpstreamClient;
  readonly translated: TranslatedRequest;
  readonly result: TurnResult;
  readonly notes: TurnNotes;
  readonly durationMs: number;
}

/** Logs how a turn went, in one line without what was said in it, and traces it where that is wanted. */
export function reportTurn(report: TurnReport, trace: TraceWriter | undefined): void {
  logTurn(report);
  void trace?.write(recordOf(report));
}

function logTurn(report: TurnReport): void {
  const { exchange, client, request, upstream, translated, result, notes, durationMs } = report;
  const { log } = exchange;
  const fields = {
    protocol: client.name,
    model: request.model,
    upstream: upstream.config.name,
    status: result.status,
    stream: request.stream,
    tools: request.tools.length,
    calls: notes.callCount,
    finish: result.record.finish,
    durationMs: Math.round(durationMs),
    ...(notes.formats.size > 0 && { formats: [...notes.formats] }),
    ...(notes.repairs.size > 0 && { repairs: [...notes.repairs] }),
    ...(translated.applied.length > 0 && { normalised: translated.applied }),
  };
  for (const { code, message } of notes.issues) log.debug({ code }, message);
  const { error } = result.record;
  if (error !== undefined) log.warn({ ...fields, kind: error.kind }, error.message);
  else if (exchange.signal.aborted) log.info(fields, 'the client went away');
  else log.info(fields, 'turn');
}

function recordOf(report: TurnReport): TraceRecord {
  const { exchange, client, request, upstream, result, notes, durationMs } = report;
  const { record } = result;
  const { name, url } = upstream.config;
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
    durationMs,
  };
}
