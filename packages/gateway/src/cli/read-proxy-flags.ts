import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Arguments, OptionKinds } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readChoice } from './read-choice.ts';
import { readFormats } from './read-format-flags.ts';
import { readHostNames } from './read-host-names.ts';
import { readLogLevel } from './read-log-level.ts';
import { readStartsInReasoning } from './read-starts-in-reasoning.ts';
import { readUpstreamFlags, UPSTREAM_OPTIONS } from './read-upstream-flags.ts';

/** The options of `holdfast proxy`. */
export const PROXY_OPTIONS: OptionKinds = {
  ...UPSTREAM_OPTIONS,
  host: 'value',
  'host-name': 'values',
  port: 'value',
  token: 'value',
  'api-key': 'value',
  'no-advice': 'flag',
  'on-invalid': 'value',
  eager: 'flag',
  formats: 'value',
  'no-bare-calls': 'flag',
  'starts-in-reasoning': 'value',
  'trace-dir': 'value',
  capture: 'flag',
  store: 'value',
  log: 'value',
};

/** What holds in place of an option that was not given. Keys in options can be seen by other users. */
const VARIABLES = {
  upstream: 'HOLDFAST_UPSTREAM',
  // A container has to be reached from outside, whatever it is started with.
  host: 'HOLDFAST_HOST',
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
  const apiKey = valueOf('api-key');
  const { upstreams, notes } = readUpstreamFlags(given, { url: valueOf('upstream'), apiKey });
  const token = valueOf('token');
  const traceDir = values.get('trace-dir');
  const onInvalid = readChoice(given, 'on-invalid', ['forward', 'ask-again']);
  const keys = upstreams.map((upstream) => ['api-key', upstream.apiKey] as const);
  for (const [name, secret] of [['token', token] as const, ...keys]) {
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
      throw new Misuse(`--${name}: expected plain characters without spaces or line breaks`);
    }
  }
  const formats = readFormats(given);
  const { listen, proxy, api, observe, shutdownGraceMs } = CONFIG_DEFAULTS;
  const config: GatewayConfig = {
    listen: {
      host: valueOf('host') ?? listen.host,
      port: portOf(given),
      ...readHostNames(given),
    },
    ...(token === undefined ? {} : { token }),
    upstreams,
    proxy: {
      ...proxy,
      eager: flags.has('eager'),
      ...(formats !== undefined && { formats }),
      startsInReasoning: readStartsInReasoning(given) ?? proxy.startsInReasoning,
      bareCalls: !flags.has('no-bare-calls'),
      advice: !flags.has('no-advice'),
      onInvalid: onInvalid ?? proxy.onInvalid,
    },
    api,
    observe: { ...observe, capture: flags.has('capture') },
    log: { level: readLogLevel(given, env) ?? CONFIG_DEFAULTS.log.level },
    ...(traceDir === undefined ? {} : { traceDir }),
    shutdownGraceMs,
  };
  return { config, notes };
}

function portOf({ values }: Arguments): number {
  const written = values.get('port');
  if (written === undefined) return CONFIG_DEFAULTS.listen.port;
  if (/^\d{1,5}$/.test(written) && Number(written) <= 65_535) return Number(written);
  throw new Misuse(`--port: expected a whole number from 0 to 65535, got "${written}"`);
}
