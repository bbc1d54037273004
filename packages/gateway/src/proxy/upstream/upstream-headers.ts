import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamConfig, UpstreamProtocol } from '../../config/gateway-config.ts';

/** What says how a request is meant, and nothing of who sent it or over which connection. */
const PASSED_ON: readonly string[] = [
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'openai-organization',
  'openai-project',
  'openai-beta',
];

/** Headers that belong to one connection, or that the next one sets anew. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'cookie',
  'origin',
  'referer',
  'x-holdfast-token',
  'x-request-id',
]);

export interface HeaderSource {
  readonly headers: IncomingHttpHeaders;
  /** Headers in which the client showed the gateway's own token: they are no key of any upstream. */
  readonly tokenHeaders: readonly string[];
  /** The upstream that the client's key is meant for; another gets it only where it is the same server. */
  readonly keyFor?: UpstreamConfig | undefined;
}

/** The headers of a request for a turn. */
export function turnHeaders(
  source: HeaderSource,
  upstream: UpstreamConfig,
  protocol: UpstreamProtocol,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  for (const name of PASSED_ON) {
    const value = source.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const key = upstream.apiKey ?? (isMeantFor(upstream, source) ? clientKey(source) : undefined);
  if (protocol === 'messages') headers['anthropic-version'] ??= '2023-06-01';
  if (key !== undefined && protocol === 'messages') headers['x-api-key'] = key;
  // Servers that speak Messages beside Chat Completions look for their key where the latter has it.
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
  return { ...headers, ...upstream.headers };
}

/** The headers of a request that is passed on as it is. */
export function passedHeaders(
  source: HeaderSource,
  upstream: UpstreamConfig,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(source.headers)) {
    if (typeof value !== 'string' || NOT_PASSED_ON.has(name)) continue;
    if (!source.tokenHeaders.includes(name)) headers[name] = value;
  }
  if (upstream.apiKey !== undefined) {
    headers['authorization'] = `Bearer ${upstream.apiKey}`;
    if (headers['x-api-key'] !== undefined) headers['x-api-key'] = upstream.apiKey;
  }
  return { ...headers, ...upstream.headers };
}

function isMeantFor({ url }: UpstreamConfig, { keyFor }: HeaderSource): boolean {
  return keyFor === undefined || new URL(url).origin === new URL(keyFor.url).origin;
}

/** The key the client sent for the upstream, in whichever header its protocol has it. */
function clientKey({ headers, tokenHeaders }: HeaderSource): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined && !tokenHeaders.includes('authorization')) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization);
    if (bearer !== null) return bearer[1];
  }
  if (typeof apiKey === 'string' && !tokenHeaders.includes('x-api-key')) return apiKey;
  return undefined;
}
