import type { GatewayConfig } from '../config/gateway-config.ts';
import { parseHost } from '../http/parse-host.ts';
import type { Arguments } from './command.ts';
import { Misuse } from './misuse.ts';

/** The names that `--host-name` adds to those by which clients may call the gateway. */
export function readHostNames({ lists }: Arguments): Pick<GatewayConfig['listen'], 'hosts'> {
  const hosts = lists.get('host-name') ?? [];
  for (const name of hosts) {
    const read = parseHost(name);
    if (read !== undefined && read.port === undefined) continue;
    throw new Misuse(`--host-name: expected a name without a port, got "${name}"`);
  }
  return hosts.length === 0 ? {} : { hosts };
}
