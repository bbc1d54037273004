import type { GatewayConfig } from './gateway-config.ts';

/**
 * What a gateway is called among others and after a restart: as the store knows it, else where it listens. `url` is
 * where that is, once it is known.
 */
export function gatewayName(
  { store, listen }: Pick<GatewayConfig, 'store' | 'listen'>,
  url = '',
): string {
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return store?.replica ?? (url === '' ? `${host}:${listen.port}` : new URL(url).host);
}
