import type { JsonObject } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import { NO_TELEMETRY } from '../../telemetry/telemetry.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { NO_TRACE } from '../../telemetry/trace-context.ts';
import type { CallWatch } from '../call/call-watch.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { isInputRequired } from '../messages.ts';
import { traceAsked } from '../trace-request.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';
import { fulfilInput } from './fulfil-input.ts';
import { upstreamParams } from './upstream-params.ts';

export interface SendOptions {
  /** Hears when the server shows life, and stands still while the client is asked something. */
  readonly watch: CallWatch;
  /** For a server that is reached over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry | undefined;
  /** Whether it is a call of a tool that the server does not list. */
  readonly isUnlisted?: boolean | undefined;
}

/** Asks a server on behalf of a client: progress and questions go back to the client, in the words of its era. */
export async function sendTo(
  server: UpstreamServer,
  { method, params = {} }: Message,
  exchange: Exchange,
  { watch, headers, telemetry = NO_TELEMETRY, isUnlisted }: SendOptions,
): Promise<JsonObject> {
  const connection = server.current ?? (await server.connect());
  const { era } = connection;
  const token = isObject(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  const onProgress = (progress: JsonObject): void => {
    watch.touch();
    if (token === undefined) return;
    const told = { ...progress, progressToken: token };
    exchange.notify({ method: 'notifications/progress', params: told });
  };
  const asking = new TimedExchange(exchange, watch);
  const send = (extra: JsonObject): Promise<JsonObject> => {
    const all = extra === NOTHING ? params : { ...params, ...extra };
    const about = { watch, isUnlisted };
    return traceAsked(telemetry, { method, params: all }, server, about, (context, carried) => {
      const { params: sent, meta } = upstreamParams(all, exchange.client, era);
      const options = { watch, onProgress, headers, meta };
      if (context === NO_TRACE) return server.request({ method, params: sent }, options, asking);
      Object.assign(meta, context);
      const isRemote = server.config.via.kind !== 'stdio';
      const traced = isRemote ? { ...options, headers: { ...headers, ...carried } } : options;
      return server.request({ method, params: sent }, traced, asking);
    });
  };
  const reply = await send(NOTHING);
  const isForUs = isInputRequired(reply) && exchange.client.era === 'legacy';
  return isForUs ? fulfilInput(reply, asking, send) : reply;
}

/** An exchange whose time stands still while its client is asked something. */
class TimedExchange implements Exchange {
  readonly #inner: Exchange;
  readonly #watch: CallWatch;

  constructor(inner: Exchange, watch: CallWatch) {
    this.#inner = inner;
    this.#watch = watch;
  }

  get client(): ClientView {
    return this.#inner.client;
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  get requestId(): string | number | undefined {
    return this.#inner.requestId;
  }

  get isWaiting(): boolean {
    return this.#inner.isWaiting === true;
  }

  notify(notification: Message): void {
    this.#inner.notify(notification);
  }

  async ask(request: Message, signal: AbortSignal): Promise<JsonObject> {
    const goOn = this.#watch.hold();
    try {
      return await this.#inner.ask(request, signal);
    } finally {
      goOn();
    }
  }
}

const NOTHING: JsonObject = Object.freeze({});
