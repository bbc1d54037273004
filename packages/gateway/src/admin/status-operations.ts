import type { Clock, JsonObject } from '@holdfast/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { urlWithoutSecrets } from '../redact/redactor.ts';
import type { AdminOperation } from './admin-operation.ts';
import { fields, flag, list, number, oneOf, open, text } from './schema-words.ts';

export interface StatusMeans {
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  /** What the proxy knows by now: circuits, what was learned of models, counts. No secret is in it. */
  readonly proxy: () => JsonObject;
  /** The same of MCP servers and their tools. */
  readonly mcp: () => JsonObject;
  readonly version: string;
  readonly clock: Clock;
}

/** Whether it lives, whether it is ready, what it is set up to do, and what it did. */
export function statusOperations(means: StatusMeans): readonly AdminOperation[] {
  const { clock } = means;
  const startedAt = clock.now();
  return [
    {
      method: 'GET',
      path: '/healthz',
      id: 'get_health',
      summary: 'Whether the gateway lives.',
      isOpen: true,
      gives: fields({ status: oneOf('ok') }),
      run: () => ({ status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      id: 'get_readiness',
      summary: 'Whether the gateway takes requests.',
      isOpen: true,
      gives: fields({ status: oneOf('ok') }),
      errors: { 503: 'It is shutting down.' },
      run: () => ({ status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/api/v1/status',
      id: 'get_status',
      summary: 'What the gateway is set up to do, and what it knows by now.',
      gives: fields({
        version: text,
        uptime_ms: number,
        eager: flag,
        advice: flag,
        on_invalid: text,
        upstreams: list(open),
        proxy: open,
        mcp: open,
      }),
      run: () => status(means, clock.now() - startedAt),
    },
  ];
}

function status({ config, proxy, mcp, version }: StatusMeans, uptimeMs: number): JsonObject {
  const { upstreams, proxy: turns } = config();
  return {
    version,
    uptime_ms: Math.round(uptimeMs),
    eager: turns.eager,
    advice: turns.advice,
    on_invalid: turns.onInvalid,
    upstreams: upstreams.map(({ name, url, protocols, models, toolMode }) => ({
      name,
      url: urlWithoutSecrets(url),
      protocols: [...protocols],
      models: [...models],
      tool_mode: toolMode,
    })),
    proxy: proxy(),
    mcp: mcp(),
  };
}
