import type { Clock } from '@holdfast/core';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { classifyInboundRequest, createMcpHandler } from '@modelcontextprotocol/server';
import type { ServerEvent } from '@modelcontextprotocol/server';
import type { BodyLimit } from '../../http/body-limit.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { RequestError } from '../../http/request-error.ts';
import { sendJson } from '../../http/send-json.ts';
import type { RouteSet } from '../../live-routes.ts';
import type { Logger } from '../../log/logger.ts';
import { listOf, objectOf } from '../../proxy/json/json-fields.ts';
import { readJsonBody } from '../../proxy/read-json-body.ts';
import { carryTrace } from '../carry-trace.ts';
import type { HubChange, McpHub } from '../hub/mcp-hub.ts';
import { ClientSubscriptions } from './client-subscriptions.ts';
import { FrontDesk } from './front-desk.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { clientKey, ModernRequests } from './modern-requests.ts';
import { plainRequest } from './plain-request.ts';
import { refusal } from './refuse.ts';
import { refuseEarly } from './refuse-early.ts';

export interface McpRoutesOptions {
  readonly hub: McpHub;
  readonly version: string;
  readonly limit: BodyLimit;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Both eras on one URL, `/mcp`. */
export function createMcpRoutes(options: McpRoutesOptions): RouteSet {
  const { hub, version, limit, clock, log } = options;
  const desk = new FrontDesk({ hub, version, clock, log });
  const sessions = new LegacySessions(desk, clock, log);
  const modern = createMcpHandler(
    async ({ requestInfo }) => {
      await hub.ready();
      const credential = requestInfo?.headers.get('authorization') ?? '';
      return desk.modernServer((info) => ({ key: clientKey(info, credential), isGuessed: true }));
    },
    { legacy: 'reject', onerror: (error) => log.debug({ error }, 'something odd from a client') },
  );
  const answerModern = toNodeHandler(modern);
  const requests = new ModernRequests(desk, clock);
  const forget = hub.onChange((change) => modern.bus.publish(eventOf(change)));

  const calls = new RunningCalls();
  const answer = async (exchange: HttpExchange): Promise<void> => {
    const { method, request, response } = exchange;
    if (method !== 'POST') return sessions.answer(exchange, undefined);
    const body = carryTrace(await readBody(exchange, limit), request.headers);
    const plain = plainRequest(body, request.headers);
    const era = plain === undefined ? eraOf(exchange, body) : 'modern';
    if (era === 'legacy') return calls.run(() => sessions.answer(exchange, body));
    const refused =
      era === 'modern' ? await refuseEarly(objectOf(body), request.headers, hub) : undefined;
    if (refused !== undefined) {
      const { id = null } = objectOf(body);
      sendJson(response, refused.status, { jsonrpc: '2.0', error: refused.error, id });
      return;
    }
    if (response.closed) return;
    if (plain !== undefined) return calls.run(() => requests.answer(exchange, plain));
    const uris = listenedUris(body);
    if (uris.length > 0) {
      const subscriptions = new ClientSubscriptions(hub);
      for (const uri of uris) subscriptions.add(uri).catch(() => undefined);
      response.once('close', () => subscriptions.clear());
    }
    const send = (): Promise<void> =>
      answerModern(request as NodeIncomingMessageLike, response, body);
    return isListening(body) ? send() : calls.run(send);
  };

  return {
    routes: [{ method: '*', path: '/mcp', handle: answer }],
    retire: () =>
      calls.onceNone(() => {
        forget();
        Promise.all([modern.close(), sessions.closeAll()]).catch((error: unknown) => {
          log.debug({ error }, 'something odd while clients were sent away');
        });
      }),
    close: () => hub.close(),
  };
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The requests that end by themselves. */
class RunningCalls {
  #count = 0;
  #onNone: (() => void) | undefined;

  async run(answer: () => Promise<void>): Promise<void> {
    this.#count++;
    try {
      await answer();
    } finally {
      this.#count--;
      if (this.#count === 0) this.#onNone?.();
    }
  }

  onceNone(listener: () => void): void {
    if (this.#count === 0) listener();
    else this.#onNone = listener;
  }
}

async function readBody(exchange: HttpExchange, limit: BodyLimit): Promise<unknown> {
  try {
    return (await readJsonBody(exchange, limit)).value;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status, kind, message } = error;
    const isUnreadable = status === 400;
    throw new RequestError(status, kind, message, {
      body: isUnreadable
        ? refusal(`Parse error: ${message}`, PARSE_ERROR)
        : refusal(message, INVALID_REQUEST),
    });
  }
}

/** What is of neither era is for the SDK to refuse. */
function eraOf({ method, request }: HttpExchange, body: unknown): 'legacy' | 'modern' | 'reject' {
  const version = request.headers['mcp-protocol-version'];
  return classifyInboundRequest({
    httpMethod: method,
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    body,
  }).kind;
}

function isListening(body: unknown): boolean {
  return objectOf(body)['method'] === 'subscriptions/listen';
}

/** The resources that a `subscriptions/listen` asks for. */
function listenedUris(body: unknown): readonly string[] {
  const { params } = objectOf(body);
  if (!isListening(body)) return [];
  const wanted = objectOf(objectOf(params)['notifications'])['resourceSubscriptions'];
  return listOf(wanted).filter((uri) => typeof uri === 'string');
}

function eventOf(change: HubChange): ServerEvent {
  return change.kind === 'resource'
    ? { kind: 'resource_updated', uri: change.uri }
    : { kind: `${change.kind}_list_changed` };
}
