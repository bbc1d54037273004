import type { Clock } from '@holdfast/core';
import type { HttpExchange, HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { sendJson } from '../http/send-json.ts';
import { firstOfEach, listModels } from './list-models.ts';
import { findModel, modelObject, modelsList } from './messages/models-list.ts';
import type { ListedModel } from './messages/models-list.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/** Answers which models there are, in one shape that clients of both families accept. */
export function answerModels(upstreams: Upstreams, clock: Clock): HttpHandler {
  return async (exchange) => {
    const { models, missing } = await listAll(upstreams, exchange, clock);
    const headers = missing.length === 0 ? {} : { [MISSING]: missing.join(', ') };
    const asked = /^\/v1\/models\/(.+)$/.exec(exchange.path)?.[1];
    if (asked === undefined) {
      sendJson(exchange.response, 200, modelsList(models), headers);
      return;
    }
    const model = findModel(models, asked);
    if (model === undefined) {
      const known = models.map(({ id }) => id).join(', ');
      const silent = missing.length === 0 ? '' : `; ${missing.join(', ')} did not tell its models`;
      const message = `there is no model of that name; there are ${known}${silent}`;
      throw new RequestError(404, 'not-found', message, { headers });
    }
    sendJson(exchange.response, 200, modelObject(model), headers);
  };
}

/** Names the upstreams whose models are not in the answer. */
const MISSING = 'x-holdfast-upstreams-missing';

interface AllModels {
  readonly models: readonly ListedModel[];
  /** The names of upstreams that did not tell theirs. */
  readonly missing: readonly string[];
}

/** The models of all upstreams that answer, the first of a name. Rejects only where none does. */
async function listAll(
  upstreams: Upstreams,
  exchange: HttpExchange,
  clock: Clock,
): Promise<AllModels> {
  const lists = await Promise.allSettled(
    upstreams.all.map((upstream) =>
      listModels(upstream, exchange, clock, upstreams.all[0]?.config),
    ),
  );
  const models: ListedModel[] = [];
  const missing: string[] = [];
  const failures: unknown[] = [];
  for (const [index, list] of lists.entries()) {
    if (list.status === 'fulfilled') {
      for (const model of list.value) models.push(model);
      continue;
    }
    missing.push(upstreams.all[index]?.config.name ?? '');
    failures.push(list.reason);
  }
  if (failures.length > 0 && failures.length === lists.length) throw joined(failures);
  for (const failure of failures) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    exchange.log.warn({}, `its models are left out: ${reason}`);
  }
  return { models: firstOfEach(models), missing };
}

/** What is told where no upstream answered: the one failure, or all of them in one. */
function joined(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (failures.length === 1) return first;
  const messages = failures.map((each) => (each instanceof Error ? each.message : String(each)));
  return new RequestError(502, 'upstream', `no upstream lists its models: ${messages.join('; ')}`);
}
