import type { Clock } from '@holdfast/core';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { Attributes, Operation } from '../telemetry/operation.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { readTraceContext } from '../telemetry/trace-context.ts';
import type { ClientProtocol, ClientRequest } from './client-protocol.ts';
import type { TurnResult } from './relay-turn.ts';
import type { TurnRecord } from './turn-record.ts';
import type { WatchUpstream } from './upstream/upstream-watch.ts';

/** Begins to tell of a turn: the request of a client. */
export function beginTurn(
  telemetry: Telemetry,
  { id, method, path, redactor, request: message }: HttpExchange,
  client: ClientProtocol,
  request: ClientRequest,
): Operation {
  return telemetry.begin({
    name: `${method} ${path}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'url.path': path,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': redactor.text(request.model),
      'holdfast.request.id': id,
      'holdfast.protocol': client.name,
      'holdfast.stream': request.stream,
      'holdfast.tools': request.tools.length,
    },
    parent: readTraceContext(message.headers),
  });
}

/** Tells that a turn was not to be had. */
export function failTurn(operation: Operation, error: unknown): void {
  const { kind, message } =
    error instanceof RequestError ? error : { kind: 'internal', message: 'the gateway failed' };
  operation.end({ errorType: kind, message });
}

/** Tells how a turn went. What was said in it is no part of that. */
export function endTurn(
  operation: Operation,
  { record, notes, plan, status, attempts }: TurnResult,
  isAborted: boolean,
): void {
  const { error } = record;
  operation.end({
    ...(error !== undefined && { errorType: error.kind, message: error.message }),
    ...(error === undefined && isAborted && GONE),
    attributes: {
      'http.response.status_code': status,
      'gen_ai.provider.name': plan?.candidate.upstream.config.name,
      'holdfast.attempts': attempts,
      'holdfast.calls': notes.callCount,
      'holdfast.formats': [...notes.formats],
      'holdfast.repairs': [...notes.repairs],
      ...toldIn(record),
    },
  });
}

/** Tells of every request to an upstream, as a part of the turn, and lets the upstream know of it. */
export function watchUpstreams(telemetry: Telemetry, turn: Operation, clock: Clock): WatchUpstream {
  return ({ candidate, speaks }, { attempt, isFailover }) => {
    const { upstream, shownModel: model } = candidate;
    const { hostname, port, protocol: scheme } = new URL(upstream.config.url);
    const startedAt = clock.now();
    let firstByteMs: number | undefined;
    let statusCode: number | undefined;
    const operation = telemetry.begin({
      name: `chat ${model}`,
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': upstream.config.name,
        'gen_ai.request.model': model,
        'server.address': hostname,
        'server.port': port === '' ? (scheme === 'https:' ? 443 : 80) : Number(port),
        ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
        'holdfast.protocol': speaks,
        'holdfast.failover': isFailover,
      },
      parent: turn.context,
    });
    const known = (): Attributes => ({
      'http.response.status_code': statusCode,
      ...(firstByteMs !== undefined && {
        'gen_ai.response.time_to_first_chunk': firstByteMs / 1000,
      }),
    });
    return {
      headers: { ...operation.headers },
      run: (send) => operation.run(send),
      answered: (status) => {
        statusCode = status;
        firstByteMs = clock.now() - startedAt;
      },
      ended: (error, record) =>
        operation.end({
          ...(error !== undefined && { errorType: error.kind, message: error.message }),
          attributes: { ...known(), ...(record !== undefined && toldIn(record)) },
        }),
      abandoned: () => operation.end({ ...GONE, attributes: known() }),
    };
  };
}

/** The client took back what it asked for. */
const GONE = { errorType: 'cancelled', message: 'the client went away' } as const;

function toldIn({ finish, measuredUsage: usage }: TurnRecord): Attributes {
  return {
    ...(finish !== undefined && { 'gen_ai.response.finish_reasons': [finish] }),
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
  };
}
