import type { HttpExchange, HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { sendJson } from '../http/send-json.ts';
import { findModel, modelObject, modelsList, readModels } from './messages/models-list.ts';
import type { ListedModel } from './messages/models-list.ts';
import { readBounded } from './read-bounded.ts';
import { describeFailure } from './upstream/describe-failure.ts';
import { readErrorAnswer } from './upstream/read-error-answer.ts';
import type { UpstreamClient } from './upstream/upstream-client.ts';
import { turnHeaders } from './upstream/upstream-headers.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** Answers which models there are, in one shape that clients of both families accept. */
export function answerModels(upstreams: Upstreams): HttpHandler {
  return async (exchange) => {
    const models = await listAll(upstreams, exchange);
    const asked = /^\/v1\/models\/(.+)$/.exec(exchange.path)?.[1];
    if (asked === undefined) {
      sendJson(exchange.response, 200, modelsList(models));
      return;
    }
    const model = findModel(models, asked);
    if (model === undefined) {
      const known = models.map(({ id }) => id).join(', ');
      throw new RequestError(
        404,
        'not-found',
        `there is no model of that name; there are ${known}`,
      );
    }
    sendJson(exchange.response, 200, modelObject(model));
  };
}

/** The models of all upstreams that answer, the first of a name; the failure of one if none does. */
async function listAll(upstreams: Upstreams, exchange: HttpExchange): Promise<ListedModel[]> {
  const lists = await Promise.allSettled(upstreams.all.map((one) => list(one, exchange)));
  const answered = lists.filter((one) => one.status === 'fulfilled');
  const [failed] = lists.filter((one) => one.status === 'rejected');
  if (answered.length === 0 && failed !== undefined) throw failed.reason;
  const models = answered.flatMap(({ value }) => value);
  return [...new Map(models.toReversed().map((model) => [model.id, model])).values()].reverse();
}

async function list(upstream: UpstreamClient, exchange: HttpExchange): Promise<ListedModel[]> {
  const { request, tokenHeaders = [], signal } = exchange;
  const { config } = upstream;
  const headers = turnHeaders({ headers: request.headers, tokenHeaders }, config, 'chat');
  let status: number;
  let text: string;
  try {
    const ask = { method: 'GET', path: '/models', headers, body: undefined, signal };
    const answer = await upstream.ask(ask);
    status = answer.statusCode;
    text = await readBounded(answer.body, MOST_BYTES);
  } catch (error) {
    const { kind, message } = describeFailure(error, config.name, config.url);
    throw new RequestError(kind === 'timeout' ? 504 : 502, kind, message);
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

const MOST_BYTES = 8 * 1024 * 1024;
