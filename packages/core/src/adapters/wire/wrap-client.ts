import { InvalidOptionError } from '../../errors.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { mendingFetch } from './mending-fetch.ts';
import type { Fetch } from './mending-fetch.ts';
import type { WireProtocol } from './wire-protocol.ts';

/** A client of OpenAI's or Anthropic's SDK. */
export interface WrappableClient {
  withOptions(options: { readonly fetch: Fetch }): unknown;
}

/** What is under each `fetch` of ours, so that an answer is never read twice. */
const inners = new WeakMap<Fetch, Fetch>();

/**
 * A copy of a client whose answers are mended on their way in: below the SDK, so that all that it offers works
 * on them and has the types it had. A client that is wrapped again goes by the new options only.
 */
export function wrapClient<Client extends WrappableClient>(
  client: Client,
  protocols: readonly WireProtocol[],
  options: MendOptions,
): Client {
  if (typeof client !== 'object' || typeof client.withOptions !== 'function')
    throw new InvalidOptionError('client', 'a client with `withOptions`', client);
  const own = fetchOf(client);
  const inner = inners.get(own) ?? own;
  const fetch = mendingFetch(inner, protocols, options);
  inners.set(fetch, inner);
  return client.withOptions({ fetch }) as Client;
}

/** The `fetch` that a client was given, which it keeps to itself. */
function fetchOf(client: object): Fetch {
  const own: unknown = 'fetch' in client ? client.fetch : undefined;
  return typeof own === 'function' ? (own as Fetch) : globalThis.fetch;
}
