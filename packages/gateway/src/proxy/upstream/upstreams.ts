import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { RequestError } from '../../http/request-error.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { UpstreamClient } from './upstream-client.ts';

/** The servers that run models, in the order in which they are asked. */
export class Upstreams {
  readonly #clients: readonly UpstreamClient[];

  constructor(configs: readonly UpstreamConfig[]) {
    this.#clients = configs.map((config) => new UpstreamClient(config));
  }

  /** All of them. */
  get all(): readonly UpstreamClient[] {
    return this.#clients;
  }

  /** The one that has the model, and what it calls it. Throws a `RequestError` where none has. */
  choose(model: string): { readonly upstream: UpstreamClient; readonly model: string } {
    const configs = this.#clients.map(({ config }) => config);
    const chosen = chooseUpstream(configs, model);
    const upstream = this.#clients.find(({ config }) => config === chosen?.upstream);
    if (chosen === undefined || upstream === undefined) {
      const known = configs.flatMap(({ models }) => models).join(', ');
      const message = `no upstream has the model ${JSON.stringify(model)}; configured are ${known}`;
      throw new RequestError(404, 'not-found', message);
    }
    return { upstream, model: chosen.model };
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}
