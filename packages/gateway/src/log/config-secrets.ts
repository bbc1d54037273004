import type { GatewayConfig } from '../config/gateway-config.ts';
import { isSecretName } from './secret-names.ts';

/** The secrets a configuration holds, for the `Redactor`. */
export function configSecrets(config: Pick<GatewayConfig, 'token' | 'upstreams'>): string[] {
  const secrets: string[] = config.token === undefined ? [] : [config.token];
  for (const { apiKey, headers, url } of config.upstreams) {
    if (apiKey !== undefined) secrets.push(apiKey);
    for (const [name, value] of Object.entries(headers)) {
      if (isSecretName(name)) secrets.push(value, value.slice(value.indexOf(' ') + 1));
    }
    if (URL.canParse(url)) secrets.push(decodeURIComponent(new URL(url).password));
  }
  return secrets;
}
