import { CONFIG_DEFAULTS } from './config-defaults.ts';
import type { GatewayConfig } from './gateway-config.ts';

/** Where a listen address leads, or what was expected of it. */
export type ListenAddress =
  | ({ readonly ok: true } & GatewayConfig['listen'])
  | { readonly ok: false; readonly expected: string };

const EXPECTED = 'an address such as 127.0.0.1:8787, [::1]:8787 or localhost:8787';

/** Reads `host:port`, or `:port` for the default host. An IPv6 address stands in brackets. */
export function readListenAddress(text: string): ListenAddress {
  const { host, port } = /^(?<host>\[[\da-f:.]+\]|[^:/?#@[\]\s]*):(?<port>\d{1,5})$/i.exec(text)
    ?.groups ?? { host: undefined, port: undefined };
  if (host === undefined || Number(port) > 65_535) return { ok: false, expected: EXPECTED };
  const plain = host.startsWith('[') ? host.slice(1, -1) : host;
  return {
    ok: true,
    host: plain === '' ? CONFIG_DEFAULTS.listen.host : plain,
    port: Number(port),
  };
}
