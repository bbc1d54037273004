import type { Clock } from '@holdfast/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { HttpHandler, Route } from '../http/http-exchange.ts';
import { sendJson } from '../http/send-json.ts';
import { urlWithoutSecrets } from '../trace/url-without-secrets.ts';

export interface AdminOptions {
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  readonly version: string;
  readonly clock: Clock;
}

/** The gateway's own API: whether it lives, and what it is set up to do. No secret is in it. */
export function createAdmin({ config, version, clock }: AdminOptions): readonly Route[] {
  const startedAt = clock.now();
  const health: HttpHandler = async ({ response }) => sendJson(response, 200, { status: 'ok' });
  const status: HttpHandler = async ({ response }) => {
    const { upstreams, proxy } = config();
    sendJson(response, 200, {
      version,
      uptime_ms: Math.round(clock.now() - startedAt),
      eager: proxy.eager,
      upstreams: upstreams.map(({ name, url, protocols, models }) => ({
        name,
        url: urlWithoutSecrets(url),
        protocols,
        models,
      })),
    });
  };
  return [
    { method: 'GET', path: '/healthz', handle: health },
    { method: 'GET', path: '/api/v1/status', handle: status },
  ];
}
