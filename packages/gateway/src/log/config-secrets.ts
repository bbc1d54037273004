import type { GatewayConfig } from '../config/gateway-config.ts';
import type { StdioServerConfig } from '../mcp/mcp-config.ts';
import { isSecretName } from './secret-names.ts';
import { secretsInArgs, withoutScheme } from './secrets-in-args.ts';

/** The secrets a configuration holds, for the `Redactor`. */
export function configSecrets(
  config: Pick<GatewayConfig, 'token' | 'adviceKey' | 'upstreams' | 'mcp' | 'store'>,
): string[] {
  const secrets = [config.token, config.adviceKey].filter((secret) => secret !== undefined);
  for (const { apiKey, headers, url } of config.upstreams) {
    if (apiKey !== undefined) secrets.push(apiKey);
    secrets.push(...secretsIn(headers), ...secretsInUrl(url));
  }
  for (const { via } of config.mcp?.servers ?? []) {
    if (via.kind === 'stdio') secrets.push(...processSecrets(via));
    else secrets.push(...secretsIn(via.headers), ...secretsInUrl(via.url));
  }
  if (config.store !== undefined) secrets.push(...secretsInUrl(config.store.url));
  return [...new Set(secrets)].filter((secret) => secret !== '');
}

/** What a program is started with that nobody may see: in its variables and in its arguments. */
export function processSecrets({ env, args }: Pick<StdioServerConfig, 'env' | 'args'>): string[] {
  // Addresses of databases have a password in them, whatever they are called.
  const addresses = [...Object.values(env), ...args].filter((value) => value.includes('://'));
  return [...secretsIn(env), ...secretsInArgs(args), ...addresses.flatMap(secretsInUrl)];
}

/** Of headers or variables, those whose names say that they are secret; also without `Bearer` in front. */
function secretsIn(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) ? withoutScheme(value) : [],
  );
}

/** The password of an address, and what its query names as a secret; both as they are written and as they are meant. */
function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, search } = new URL(url);
  const named = search
    .slice(1)
    .split('&')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
    .filter(([name]) => name === 'key' || isSecretName(name))
    .map(([, value]) => value);
  return [password, ...named].flatMap((written) => [decoded(written), written]);
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    // A % that begins no character: it is sent as it was written.
    return written;
  }
}
