import { dirname, resolve } from 'node:path';
import type { McpConfig } from '../mcp/mcp-config.ts';
import type { ConfigFile } from './config-schema.ts';
import type { GatewayConfig, UpstreamConfig } from './gateway-config.ts';
import { readListenAddress } from './read-listen-address.ts';
import { readUpstreamUrl } from './read-upstream-url.ts';

/** A file that passed the schema, as the rest of the gateway uses it, and what was set right in it. */
export function toGatewayConfig(
  read: ConfigFile,
  file: string,
  mcp: McpConfig | undefined,
): { readonly config: GatewayConfig; readonly notes: readonly string[] } {
  const { token, traceDir, adviceKey, mcp: _section, observe, store, advisor, ...rest } = read;
  const advised = advisor === undefined ? {} : { advisor };
  const upstreams = read.upstreams.map(toUpstream);
  const config: GatewayConfig = {
    ...rest,
    listen: toListen(read.listen),
    upstreams: upstreams.map(({ upstream }) => upstream),
    proxy: { ...read.proxy, ...advised },
    observe: toObserve(observe, file),
    ...(mcp === undefined ? {} : { mcp: { ...mcp, ...advised } }),
    ...toStore(store),
    // `${NAME:-}` is how a file says "if there is one".
    ...(token === undefined || token === '' ? {} : { token }),
    ...(adviceKey === undefined || adviceKey === '' ? {} : { adviceKey }),
    ...(traceDir === undefined || traceDir === ''
      ? {}
      : { traceDir: resolve(dirname(file), traceDir) }),
  };
  return { config, notes: upstreams.flatMap(({ notes }) => notes) };
}

function toStore(store: ConfigFile['store']): Pick<GatewayConfig, 'store'> {
  const { url, cluster = false, ...rest } = typeof store === 'object' ? store : { url: store };
  return url === undefined || url === '' ? {} : { store: { ...rest, url, cluster } };
}

function toObserve(
  { historyDir, ...rest }: ConfigFile['observe'],
  file: string,
): GatewayConfig['observe'] {
  if (historyDir === undefined || historyDir === '') return rest;
  return { ...rest, historyDir: resolve(dirname(file), historyDir) };
}

/** The name of an upstream: its own, or the host and port of its address. */
export function nameOf({ name, url }: ConfigFile['upstreams'][number]): string {
  return name ?? new URL(url).host;
}

/** Where to listen, in whichever way it was written. */
export function toListen(listen: ConfigFile['listen']): GatewayConfig['listen'] {
  if (typeof listen !== 'string') return listen;
  const read = readListenAddress(listen);
  if (!read.ok) throw new TypeError(`listen: expected ${read.expected}`);
  return { host: read.host, port: read.port };
}

function toUpstream(read: ConfigFile['upstreams'][number]): {
  upstream: UpstreamConfig;
  notes: readonly string[];
} {
  const { url, apiKey, toolFormat, ...rest } = read;
  const address = readUpstreamUrl(url);
  if (!address.ok) throw new TypeError(`url: expected ${address.expected}`);
  const key = apiKey === undefined || apiKey === '' ? address.apiKey : apiKey;
  const upstream = {
    ...rest,
    name: nameOf(read),
    url: address.url,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(toolFormat === undefined ? {} : { toolFormat }),
  };
  return { upstream, notes: address.notes.map((note) => `upstream ${upstream.name}: ${note}`) };
}
