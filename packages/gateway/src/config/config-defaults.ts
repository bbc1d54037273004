import { NORMALISE_DEFAULTS } from '../proxy/normalise-rules.ts';
import type { GatewayConfig, ProxyConfig, UpstreamConfig } from './gateway-config.ts';

/** What holds where a configuration says nothing. The tables in the docs are tested against it. */
export const CONFIG_DEFAULTS: ConfigDefaults = Object.freeze({
  listen: Object.freeze({ host: '127.0.0.1', port: 8787 }),
  upstream: Object.freeze({
    protocols: Object.freeze(['chat'] as const),
    headers: Object.freeze({}),
    models: Object.freeze(['*']),
    modelMap: Object.freeze({}),
    connectTimeoutMs: 10_000,
    // A local model may read a long prompt for minutes before its first word, some behind headers already sent.
    firstByteTimeoutMs: 600_000,
    idleTimeoutMs: 300_000,
    toolMode: 'auto',
    startsInReasoning: Object.freeze({}),
    circuit: Object.freeze({
      consecutiveFailures: 5,
      failureRatio: 0.5,
      minCalls: 10,
      windowMs: 60_000,
      // A server on the same machine is often back within seconds, and somebody waits for it.
      openForMs: 10_000,
      scope: 'fleet',
      onStoreLoss: 'local',
    }),
  }),
  proxy: Object.freeze({
    eager: false,
    callsInReasoning: 'if-unclosed',
    startsInReasoning: 'auto',
    bareCalls: true,
    // As much as Anthropic's own API takes.
    maxRequestBytes: 33_554_432,
    maxResponseBytes: 16_777_216,
    keepAliveMs: 15_000,
    normalise: NORMALISE_DEFAULTS,
    retry: Object.freeze({
      maxAttempts: 3,
      baseDelayMs: 500,
      maxDelayMs: 8000,
      maxWaitMs: 10_000,
    }),
    advice: true,
    onInvalid: 'forward',
  }),
  api: Object.freeze({ maxRequestBytes: 1_048_576 }),
  observe: Object.freeze({
    capture: false,
    reveal: false,
    captureRequests: 100,
    history: true,
    historyMaxBytes: 67_108_864,
    historyMaxAgeDays: 30,
    metrics: true,
    dashboard: true,
  }),
  log: Object.freeze({ level: 'info' }),
  shutdownGraceMs: 30_000,
});

/** A configuration as far as nobody has to write it. */
export interface ConfigDefaults extends Pick<
  GatewayConfig,
  'listen' | 'api' | 'observe' | 'log' | 'shutdownGraceMs'
> {
  /** Of each upstream. */
  readonly upstream: Omit<UpstreamConfig, 'name' | 'url' | 'apiKey' | 'toolFormat'>;
  readonly proxy: ProxyConfig;
}
