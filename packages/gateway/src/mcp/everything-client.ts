import type { ClientIdentity } from './upstream/connection.ts';

/**
 * What servers are told of clients that share them: that they can be asked everything. Those that cannot are not
 * asked; the server gets an error then.
 */
export function everythingClient(version: string): ClientIdentity {
  return {
    info: { name: 'holdfast', version },
    capabilities: {
      sampling: { tools: {}, context: {} },
      elicitation: { form: {}, url: {} },
      roots: { listChanged: true },
    },
  };
}
