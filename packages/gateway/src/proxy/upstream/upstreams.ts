import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { RequestError } from '../../http/request-error.ts';
import type { Mask } from '../../redact/redactor.ts';
import { askedModel } from './asked-model.ts';
import { UpstreamClient } from './upstream-client.ts';
import type { UpstreamEnvironment } from './upstream-guard.ts';

/** An upstream that has a model, and what it calls it. */
export interface Candidate {
  readonly upstream: UpstreamClient;
  readonly model: string;
  /** The model without secrets, for circuits and for all that is kept or shown. */
  readonly shownModel: string;
}

/** What is logged, and returned to clients, where there is none. */
export const NO_UPSTREAM =
  'no upstream is configured; expected --upstream <url>, HOLDFAST_UPSTREAM, or upstreams in holdfast.yaml';

/** The servers that run models, in the order in which they are asked. */
export class Upstreams {
  readonly #clients: readonly UpstreamClient[];

  constructor(configs: readonly UpstreamConfig[], environment: UpstreamEnvironment = {}) {
    this.#clients = configs.map((config) => new UpstreamClient(config, environment));
  }

  /** All of them. */
  get all(): readonly UpstreamClient[] {
    return this.#clients;
  }

  /** Those that have the model, in order. Throws a `RequestError` where none has. */
  candidates(model: string, mask: Mask): readonly [Candidate, ...Candidate[]] {
    const found = this.#clients.flatMap((upstream) => {
      const asked = askedModel(upstream.config, model);
      return asked === undefined ? [] : [{ upstream, model: asked, shownModel: mask(asked) }];
    });
    const [first, ...others] = found;
    if (first !== undefined) return [first, ...others];
    if (this.#clients.length === 0) throw new RequestError(404, 'not-found', NO_UPSTREAM);
    const known = this.#clients.flatMap(({ config }) => config.models).join(', ');
    const message = `no upstream has the model ${JSON.stringify(model)}; configured are ${known}`;
    throw new RequestError(404, 'not-found', message);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
