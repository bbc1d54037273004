import type { Clock, JsonObject } from '@holdfast/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { HttpHandler, Route } from '../http/http-exchange.ts';
import { sendJson } from '../http/send-json.ts';
import { urlWithoutSecrets } from '../trace/url-without-secrets.ts';

export interface AdminOptions {
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  /** What the proxy knows by now: circuits, what was learned of models, counts. No secret is in it. */
  readonly proxy: () => JsonObject;
  /** The same of MCP servers and their tools. */
  readonly mcp: () => JsonObject;
  readonly version: string;
  readonly clock: Clock;
}

/** The gateway's own API: whether it lives, what it is set up to do, and what it did. No secret is in it. */
export function createAdmin(options: AdminOptions): readonly Route[] {
  const { config, proxy: proxyStatus, mcp, version, clock } = options;
  const startedAt = clock.now();
  const health: HttpHandler = async ({ response }) => sendJson(response, 200, { status: 'ok' });
  const status: HttpHandler = async ({ response }) => {
    const { upstreams, proxy } = config();
    sendJson(response, 200, {
      version,
      uptime_ms: Math.round(clock.now() - startedAt),
      eager: proxy.eager,
      advice: proxy.advice,
      on_invalid: proxy.onInvalid,
      upstreams: upstreams.map(({ name, url, protocols, models, toolMode }) => ({
        name,
        url: urlWithoutSecrets(url),
        protocols,
        models,
        tool_mode: toolMode,
      })),
      proxy: proxyStatus(),
      mcp: mcp(),
    });
  };
  return [
    { method: 'GET', path: '/healthz', handle: health },
    { method: 'GET', path: '/api/v1/status', handle: status },
  ];
}
