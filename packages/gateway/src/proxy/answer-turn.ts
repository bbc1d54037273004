import type { Clock } from '@holdfast/core';
import type { ParserRegistry } from '@holdfast/core/parse';
import type { ProxyConfig, UpstreamProtocol } from '../config/gateway-config.ts';
import type { HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { TraceWriter } from '../trace/trace-writer.ts';
import type { ClientProtocol, ClientRequest, Refused } from './client-protocol.ts';
import { readJsonBody } from './read-json-body.ts';
import { relayTurn } from './relay-turn.ts';
import { SPEECHES } from './speeches.ts';
import { reportTurn } from './report-turn.ts';
import { TurnReader } from './turn/turn-reader.ts';
import { turnHeaders } from './upstream/upstream-headers.ts';
import type { Upstreams } from './upstream/upstreams.ts';

export interface AnswerTurnOptions {
  readonly proxy: ProxyConfig;
  readonly upstreams: Upstreams;
  readonly registry: ParserRegistry;
  readonly nextId: () => string;
  readonly clock: Clock;
  readonly trace?: TraceWriter;
}

/** Answers requests for turns of one client protocol. */
export function answerTurn(client: ClientProtocol, options: AnswerTurnOptions): HttpHandler {
  return async (exchange) => {
    const startedAt = options.clock.now();
    const { normalise, maxRequestBytes } = options.proxy;
    const given = accept(
      client.read(await readJsonBody(exchange, maxRequestBytes), normalise),
    ).request;
    const { upstream, model } = options.upstreams.choose(given.model);
    const request: ClientRequest =
      model === given.model ? given : { ...given, body: { ...given.body, model } };
    const source = speechFor(client, upstream.config.protocols);
    const translated = accept(client.translate(request, source, normalise));
    const reader = new TurnReader({
      tools: request.tools,
      model,
      registry: options.registry,
      callsInReasoning: options.proxy.callsInReasoning,
      eager: options.proxy.eager && request.stream,
      nextId: options.nextId,
    });
    const speech = SPEECHES[source];
    const { signal, request: message, tokenHeaders = [] } = exchange;
    const result = await relayTurn({
      exchange,
      client,
      request,
      upstream,
      context: { requestId: exchange.id, wallTime: options.clock.wallTime() },
      speech,
      asked: {
        method: 'POST',
        path: speech.path + (source === client.name ? exchange.query : ''),
        headers: turnHeaders({ headers: message.headers, tokenHeaders }, upstream.config, source),
        body: JSON.stringify(translated.body),
        signal,
      },
      reader,
      headers: {
        'x-holdfast-upstream': upstream.config.name,
        ...(translated.applied.length > 0 && {
          'x-holdfast-normalised': translated.applied.join(', '),
        }),
      },
      keepAliveMs: options.proxy.keepAliveMs,
      maxAnswerBytes: MOST_ANSWER_BYTES,
      keepsContent: options.trace !== undefined,
      clock: options.clock,
    });
    const { notes } = reader;
    const durationMs = options.clock.now() - startedAt;
    reportTurn(
      { exchange, client, request, upstream, translated, result, notes, durationMs },
      options.trace,
    );
  };
}

/** A request that cannot be made sense of is answered as such. */
function accept<T extends { readonly ok: true }>(result: T | Refused): T {
  if (result.ok) return result;
  const { kind, message, details } = result.error;
  throw new RequestError(400, kind, message, { details });
}

/** The client's own protocol where the upstream speaks it: then the turn is mended in place. */
function speechFor(client: ClientProtocol, spoken: readonly UpstreamProtocol[]): UpstreamProtocol {
  if (spoken.includes(client.name)) return client.name;
  if (spoken.includes('chat')) return 'chat';
  throw new RequestError(
    501,
    'invalid-request',
    `the upstream speaks ${spoken.join(' and ')} only, which a request for ${client.name} cannot be translated to`,
  );
}

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
