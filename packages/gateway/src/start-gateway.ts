import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { createAdmin } from './admin/create-admin.ts';
import { readVersion } from './cli/version.ts';
import { changedKeys } from './config/changed-keys.ts';
import type { Environment } from './config/expand-variables.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { startHttpServer } from './http/http-server.ts';
import type { HttpServer, HttpServerOptions } from './http/http-server.ts';
import { LiveRoutes } from './live-routes.ts';
import { configSecrets } from './log/config-secrets.ts';
import type { Logger } from './log/logger.ts';
import { Redactor } from './log/redactor.ts';
import { LiveMcp } from './mcp/live-mcp.ts';
import { createProxy } from './proxy/create-proxy.ts';
import type { Proxy } from './proxy/create-proxy.ts';
import { newProxyCounts } from './proxy/proxy-counts.ts';
import { createSidecar } from './sidecar/create-sidecar.ts';
import { createDefaultPlugins } from './sidecar/default-plugins.ts';
import { TraceWriter } from './trace/trace-writer.ts';

/** A gateway that takes requests. */
export interface Gateway {
  /** How this machine reaches it, without a path. */
  readonly url: string;
  /** Takes over what can change while it runs, and logs what cannot. */
  replaceConfig(next: GatewayConfig): void;
  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  close(): Promise<void>;
}

export interface StartGatewayOptions {
  readonly log: Logger;
  /** Takes secrets out of traces. Default: one that knows those of the configuration. */
  readonly redactor?: Redactor;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** For plugin files, which may name variables. Default: none. */
  readonly env?: Environment;
  /** How many ports are tried, from the configured one upwards, while they are in use. Default: 1. */
  readonly portsToTry?: number;
}

/** Keys that are read once, at the start. */
const FIXED = ['listen', 'token', 'log', 'traceDir', 'shutdownGraceMs'] as const;

/** Starts the gateway that a configuration describes. Rejects with a clear reason if it cannot. */
export async function startGateway(
  config: GatewayConfig,
  options: StartGatewayOptions,
): Promise<Gateway> {
  const { log, clock = systemClock, portsToTry = 1 } = options;
  const { redactor = new Redactor(configSecrets(config)) } = options;
  const trace =
    config.traceDir === undefined
      ? undefined
      : new TraceWriter({ directory: config.traceDir, log, clock, redactor });
  let current = config;
  const counts = newProxyCounts();
  const proxyFor = (next: GatewayConfig): Proxy =>
    createProxy({ config: next, counts, log, clock, ...(trace === undefined ? {} : { trace }) });
  let proxy = proxyFor(config);
  const live = new LiveRoutes(proxy);
  const admin = createAdmin({
    config: () => current,
    proxy: () => proxy.status(),
    mcp: () => mcp.status(),
    version: readVersion(),
    clock,
  });
  const mcp = await LiveMcp.open(config.mcp, {
    env: options.env ?? {},
    maxRequestBytes: config.proxy.maxRequestBytes,
    clock,
    log,
  });
  const plugins = createDefaultPlugins({ log, clock });
  const sidecar = createSidecar({
    version: readVersion(),
    maxBytes: () => current.proxy.maxRequestBytes,
    plugins: () => mcp.plugins ?? plugins.host(),
    clock,
    log,
  });
  const { listen, token, shutdownGraceMs } = config;
  const server = await listenSomewhere(
    {
      ...listen,
      ...(token === undefined ? {} : { token }),
      routes: [...admin, ...sidecar.routes, ...mcp.routes, ...live.routes],
      log,
      clock,
      shutdownGraceMs,
    },
    portsToTry,
  ).catch(async (error: unknown) => {
    await Promise.all([live.close(), mcp.close()]);
    throw error;
  });
  const parsers = createDefaultRegistry()
    .list()
    .map(({ name }) => name);
  log.info({ url: server.url, parsers }, 'listening; parsers in the order they are tried');

  return {
    url: server.url,
    replaceConfig: (next) => {
      const changed = changedKeys(current, next);
      for (const key of FIXED.filter((each) => changed.includes(each))) {
        log.warn({ key }, `${key} has changed, which takes effect after a restart`);
      }
      if (changed.includes('upstreams') || changed.includes('proxy')) {
        proxy = proxyFor(next);
        live.replace(proxy);
      }
      if (changed.includes('mcp')) void mcp.replace(next.mcp);
      current = next;
      log.info({ changed }, 'configuration loaded');
    },
    close: async () => {
      // Streams of news would keep the server waiting.
      await Promise.all([server.close(), mcp.close()]);
      await sidecar.close();
      await plugins.close();
      await live.close();
      await trace?.flush();
    },
  };
}

async function listenSomewhere(
  options: HttpServerOptions,
  portsToTry: number,
): Promise<HttpServer> {
  const last = options.port + portsToTry - 1;
  for (let port = options.port; ; port++) {
    try {
      return await startHttpServer({ ...options, port });
    } catch (error) {
      if (port >= last || !isPortInUse(error)) throw error;
    }
  }
}

function isPortInUse(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
