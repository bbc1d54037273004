import type { JsonObject } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import type { ProxyConfig, UpstreamConfig, UpstreamProtocol } from '../config/gateway-config.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { ClientProtocol, ClientRequest, Refused } from './client-protocol.ts';
import { promptTools } from './prompt/prompt-tools.ts';
import type { ToolModes } from './prompt/tool-modes.ts';
import { LARGE } from './fair-share.ts';
import { encodeJson } from './json/large-json.ts';
import type { JsonBody } from './read-json-body.ts';
import { SPEECHES } from './speeches.ts';
import type { TurnPlan } from './turn-plan.ts';
import type { TurnError } from './turn/turn-error.ts';
import { turnHeaders } from './upstream/upstream-headers.ts';
import type { Candidate } from './upstream/upstreams.ts';

/** Says what an upstream is asked so that a client gets its turn. */
export class TurnPlanner {
  readonly #client: ClientProtocol;
  readonly #exchange: HttpExchange;
  readonly #proxy: ProxyConfig;
  readonly #modes: ToolModes;
  /** The upstream that the client has in mind, as far as it has one: the first that has the model. */
  readonly #meant: UpstreamConfig;
  readonly #came: JsonBody;

  constructor(
    client: ClientProtocol,
    exchange: HttpExchange,
    proxy: ProxyConfig,
    modes: ToolModes,
    meant: Candidate,
    came: JsonBody,
  ) {
    this.#client = client;
    this.#exchange = exchange;
    this.#proxy = proxy;
    this.#modes = modes;
    this.#meant = meant.upstream.config;
    this.#came = came;
  }

  /** Those of the candidates that speak what the client does, or what it can be translated to. */
  withSpeech(candidates: readonly Candidate[]): readonly Candidate[] {
    const able = candidates.filter(({ upstream }) => this.#speech(upstream.config.protocols));
    if (able.length > 0) return able;
    const spoken = [...new Set(candidates.flatMap(({ upstream }) => upstream.config.protocols))];
    throw new RequestError(
      501,
      'invalid-request',
      `the upstream speaks ${spoken.join(' and ')} only, which a request for ${this.#client.name} cannot be translated to`,
    );
  }

  plan(candidate: Candidate, request: ClientRequest): TurnPlan | Promise<TurnPlan> {
    const { upstream, shownModel } = candidate;
    const mode = this.#modes.modeFor(upstream.config, shownModel);
    return this.#plan(candidate, request, mode === 'prompt');
  }

  /** With the tools in the prompt, where the upstream said that it takes no others. */
  replan(
    { candidate, promptedIn }: TurnPlan,
    request: ClientRequest,
    error: TurnError,
  ): TurnPlan | Promise<TurnPlan> | undefined {
    const { upstream, shownModel } = candidate;
    if (promptedIn !== undefined || request.tools.length === 0) return undefined;
    const isRefused = this.#modes.refused(upstream.config, shownModel, error);
    return isRefused ? this.#plan(candidate, request, true) : undefined;
  }

  #plan(
    candidate: Candidate,
    given: ClientRequest,
    isPrompted: boolean,
  ): TurnPlan | Promise<TurnPlan> {
    const { upstream, model } = candidate;
    const { config } = upstream;
    const speaks = isPrompted ? 'chat' : (this.#speech(config.protocols) ?? 'chat');
    const isRenamed = given.body['model'] !== model && model !== '';
    const request = isRenamed ? { ...given, body: { ...given.body, model } } : given;
    const translated = accept(this.#client.translate(request, speaks, this.#proxy.normalise));
    const options = { model, format: config.toolFormat };
    const prompted = isPrompted ? promptTools(translated.body, given.tools, options) : undefined;
    const { request: message, query, signal, tokenHeaders = [] } = this.#exchange;
    const body = this.#written(prompted?.body ?? translated.body);
    const planOf = (written: TurnPlan['asked']['body']): TurnPlan => ({
      candidate,
      speaks,
      // Without tools and calls there is nothing to tell.
      promptedIn: prompted?.body === translated.body ? undefined : prompted?.format,
      translated,
      asked: {
        method: 'POST',
        path: SPEECHES[speaks].path + (speaks === this.#client.name ? query : ''),
        headers: turnHeaders(
          { headers: message.headers, tokenHeaders, keyFor: this.#meant },
          config,
          speaks,
        ),
        body: written,
        signal,
      },
    });
    return body instanceof Promise ? body.then(planOf) : planOf(body);
  }

  /** What needs no change goes on as it came, byte for byte. */
  #written(body: JsonObject): string | Uint8Array | Promise<Uint8Array> {
    const { bytes, value } = this.#came;
    if (body === value) return bytes;
    return bytes.length > LARGE ? encodeJson(body) : writeExactJson(body);
  }

  /** The client's own protocol where the upstream speaks it: then the turn is mended in place. */
  #speech(spoken: readonly UpstreamProtocol[]): UpstreamProtocol | undefined {
    if (spoken.includes(this.#client.name)) return this.#client.name;
    return spoken.includes('chat') ? 'chat' : undefined;
  }
}

/** A request that cannot be made sense of is answered as such. */
export function accept<T extends { readonly ok: true }>(result: T | Refused): T {
  if (result.ok) return result;
  const { kind, message, details } = result.error;
  throw new RequestError(400, kind, message, { details });
}
