import type { GatewayConfig } from '../config/gateway-config.ts';
import { isSecretName } from './secret-names.ts';

/** The secrets a configuration holds, for the `Redactor`. */
export function configSecrets(
  config: Pick<GatewayConfig, 'token' | 'upstreams' | 'mcp' | 'store'>,
): string[] {
  const secrets: string[] = config.token === undefined ? [] : [config.token];
  for (const { apiKey, headers, url } of config.upstreams) {
    if (apiKey !== undefined) secrets.push(apiKey);
    secrets.push(...secretsIn(headers), ...passwordIn(url));
  }
  for (const { via } of config.mcp?.servers ?? []) {
    if (via.kind === 'stdio') secrets.push(...secretsIn(via.env));
    else secrets.push(...secretsIn(via.headers), ...passwordIn(via.url));
  }
  if (config.store !== undefined) secrets.push(...passwordIn(config.store.url));
  return secrets;
}

/** Of headers or variables, those whose names say that they are secret; also without `Bearer` in front. */
export function secretsIn(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) ? [value, value.slice(value.indexOf(' ') + 1)] : [],
  );
}

function passwordIn(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password } = new URL(url);
  try {
    return [decodeURIComponent(password)];
  } catch {
    // A % that begins no character: it is sent as it was written.
    return [password];
  }
}
