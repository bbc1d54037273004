import type { Clock } from '@holdfast/core';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { readModels } from './messages/models-list.ts';
import type { ListedModel } from './messages/models-list.ts';
import { readBounded } from './read-bounded.ts';
import { askedModel } from './upstream/asked-model.ts';
import { readErrorAnswer } from './upstream/read-error-answer.ts';
import type { UpstreamClient } from './upstream/upstream-client.ts';
import { unreachable } from './upstream/unreachable.ts';
import { turnHeaders } from './upstream/upstream-headers.ts';

/** Clients ask for the list before anything else: one server that is slow must not keep them. */
const PATIENCE_MS = 5_000;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * The models that clients can ask an upstream for: those of its own list that its patterns let through, then the
 * names that stand for one of them. Rejects with a `RequestError` if it does not tell them in time.
 */
export async function listModels(
  upstream: UpstreamClient,
  exchange: HttpExchange,
  clock: Clock,
  /** The upstream that the client's key is meant for. */
  keyFor: UpstreamConfig = upstream.config,
): Promise<ListedModel[]> {
  const { config } = upstream;
  const own = await askForList(upstream, exchange, clock, keyFor);
  const names = Object.keys(config.modelMap).filter((name) => !name.includes('*'));
  const mapped = names.map((name): ListedModel => {
    const meant = own.find(({ id }) => id === config.modelMap[name]);
    return { ownedBy: 'upstream', createdAt: 0, ...meant, id: name, displayName: name };
  });
  const models = [...own, ...mapped].filter(({ id }) => askedModel(config, id) !== undefined);
  return firstOfEach(models);
}

/** The first model of each name, in the order in which they come. */
export function firstOfEach(models: readonly ListedModel[]): ListedModel[] {
  const first = new Map<string, ListedModel>();
  for (const model of models) if (!first.has(model.id)) first.set(model.id, model);
  return [...first.values()];
}

async function askForList(
  upstream: UpstreamClient,
  { request, tokenHeaders = [], signal: gone }: HttpExchange,
  clock: Clock,
  keyFor: UpstreamConfig,
): Promise<ListedModel[]> {
  const { config } = upstream;
  const patience = new AbortController();
  const cancel = clock.setTimer(() => patience.abort(), PATIENCE_MS);
  const signal = AbortSignal.any([gone, patience.signal]);
  const headers = turnHeaders({ headers: request.headers, tokenHeaders, keyFor }, config, 'chat');
  let status: number;
  let text: string;
  try {
    const ask = { method: 'GET', path: '/models', headers, body: undefined, signal };
    const answer = await upstream.ask(ask);
    status = answer.statusCode;
    text = await readBounded(answer.body, MOST_BYTES);
  } catch (error) {
    if (patience.signal.aborted) {
      const message = `upstream "${config.name}" at ${config.url} did not list its models within ${PATIENCE_MS / 1000} s`;
      throw new RequestError(504, 'timeout', message);
    }
    throw unreachable(error, config);
  } finally {
    cancel();
  }
  if (status < 200 || status > 299) {
    const told = { upstream: config.name, status, body: text, retryAfter: undefined, wallTime: 0 };
    const { kind, message } = readErrorAnswer(told);
    throw new RequestError(status >= 400 ? status : 502, kind, message);
  }
  try {
    return readModels(JSON.parse(text));
  } catch {
    const message = `upstream "${config.name}" answered ${config.url}/models with no JSON`;
    throw new RequestError(502, 'upstream', message);
  }
}
