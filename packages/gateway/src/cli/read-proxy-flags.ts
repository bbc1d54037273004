import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { GatewayConfig, UpstreamConfig } from '../config/gateway-config.ts';
import { maskUrl, readUpstreamUrl } from '../config/read-upstream-url.ts';
import type { Arguments, OptionKinds } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { readLogLevel } from './read-log-level.ts';

/** The options of `holdfast proxy`. */
export const PROXY_OPTIONS: OptionKinds = {
  upstream: 'value',
  host: 'value',
  port: 'value',
  token: 'value',
  'api-key': 'value',
  model: 'value',
  protocol: 'value',
  eager: 'flag',
  'trace-dir': 'value',
  log: 'value',
};

const PROTOCOLS = {
  chat: ['chat'],
  messages: ['messages'],
  both: ['chat', 'messages'],
} as const satisfies Record<string, UpstreamConfig['protocols']>;

/** What holds in place of an option that was not given. Keys in options can be seen by other users. */
const VARIABLES = {
  upstream: 'HOLDFAST_UPSTREAM',
  token: 'HOLDFAST_TOKEN',
  'api-key': 'HOLDFAST_API_KEY',
} as const;

/** The configuration that options and environment describe, and what was set right in them. */
export function readProxyFlags(
  given: Arguments,
  env: Io['env'],
): { readonly config: GatewayConfig; readonly notes: readonly string[] } {
  const { flags, values } = given;
  const valueOf = (option: keyof typeof VARIABLES): string | undefined =>
    values.get(option) ?? (env[VARIABLES[option]] === '' ? undefined : env[VARIABLES[option]]);
  const asked = valueOf('upstream');
  if (asked === undefined) {
    throw new Misuse('--upstream is missing; expected a URL such as http://127.0.0.1:1234/v1');
  }
  const address = readUpstreamUrl(asked);
  if (!address.ok) {
    throw new Misuse(`--upstream: expected ${address.expected}, got "${maskUrl(asked)}"`);
  }
  const apiKey = valueOf('api-key') ?? address.apiKey;
  const token = valueOf('token');
  const model = values.get('model');
  const traceDir = values.get('trace-dir');
  const protocol = readChoice(given, 'protocol', ['chat', 'messages', 'both']) ?? 'chat';
  for (const [name, secret] of Object.entries({ token, 'api-key': apiKey })) {
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
      throw new Misuse(`--${name}: expected plain characters without spaces or line breaks`);
    }
  }
  const { listen, upstream, proxy, shutdownGraceMs } = CONFIG_DEFAULTS;
  const config: GatewayConfig = {
    listen: { host: values.get('host') ?? listen.host, port: portOf(given) },
    ...(token === undefined ? {} : { token }),
    upstreams: [
      {
        ...upstream,
        name: new URL(address.url).host,
        url: address.url,
        protocols: PROTOCOLS[protocol],
        ...(apiKey === undefined ? {} : { apiKey }),
        modelMap: model === undefined ? {} : { '*': model },
      },
    ],
    proxy: { ...proxy, eager: flags.has('eager') },
    log: { level: readLogLevel(given, env) ?? CONFIG_DEFAULTS.log.level },
    ...(traceDir === undefined ? {} : { traceDir }),
    shutdownGraceMs,
  };
  return { config, notes: address.notes };
}

function portOf({ values }: Arguments): number {
  const written = values.get('port');
  if (written === undefined) return CONFIG_DEFAULTS.listen.port;
  if (/^\d{1,5}$/.test(written) && Number(written) <= 65_535) return Number(written);
  throw new Misuse(`--port: expected a whole number from 0 to 65535, got "${written}"`);
}
