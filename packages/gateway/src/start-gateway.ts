import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { CircuitBreaker } from '@holdfast/core/guard';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { openAdviceKey } from './advice/advice-key.ts';
import { AdviceSigner } from './advice/advice-signer.ts';
import { createAdmin } from './admin/create-admin.ts';
import { historyOperation } from './admin/history-operation.ts';
import { readVersion } from './cli/version.ts';
import { gatewayName } from './config/gateway-name.ts';
import { changedKeys } from './config/changed-keys.ts';
import type { Environment } from './config/expand-variables.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { createDashboard } from './dashboard/create-dashboard.ts';
import { Isolations } from './fleet/isolations.ts';
import { openFleet } from './fleet/open-fleet.ts';
import { GATEWAY_PARTS } from './gateway-part.ts';
import type { GatewayPart } from './gateway-part.ts';
import { apiLimit, requestLimit } from './http/body-limit.ts';
import type { Route } from './http/http-exchange.ts';
import { keepTraffic } from './history/keep-traffic.ts';
import { openHistory } from './history/open-history.ts';
import { startHttpServer } from './http/http-server.ts';
import type { HttpServer, HttpServerOptions } from './http/http-server.ts';
import { LiveRoutes } from './live-routes.ts';
import { configSecrets, Redactor } from './redact/redactor.ts';
import type { LogRing } from './log/log-ring.ts';
import type { Logger } from './log/logger.ts';
import { LiveMcp } from './mcp/live-mcp.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { readGatewayState } from './metrics/read-gateway-state.ts';
import type { EventSource } from './observe/gateway-event.ts';
import { Observation } from './observe/observation.ts';
import { createProxy } from './proxy/create-proxy.ts';
import type { Proxy } from './proxy/create-proxy.ts';
import { newProxyCounts } from './proxy/proxy-counts.ts';
import { ReasoningStarts } from './proxy/reasoning/reasoning-starts.ts';
import { ItemMemory } from './proxy/responses/item-memory.ts';
import { createSidecar } from './sidecar/create-sidecar.ts';
import { createDefaultPlugins } from './sidecar/default-plugins.ts';
import { openSpans } from './telemetry/open-spans.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
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
  /** The last lines of the log, for those who ask over HTTP. Default: none. */
  readonly logs?: LogRing;
  /** Where history is kept, unless the configuration says where. Default: none is kept then. */
  readonly historyDir?: string | undefined;
  /** Where isolated circuits are kept over a restart, where no store keeps them. Default: nowhere. */
  readonly isolationFile?: string | undefined;
  /** Where the key of signed advice is kept, where neither configuration nor store has one. Default: nowhere. */
  readonly adviceKeyFile?: string | undefined;
  /** What is served. Default: everything. */
  readonly parts?: readonly GatewayPart[];
  /** Opens the door that requests come through. Default: listens where the configuration says. */
  readonly open?: (door: HttpServerOptions) => Promise<HttpServer>;
}

/** Keys that are read once, at the start. */
const FIXED = [
  'listen',
  'token',
  'store',
  'log',
  'traceDir',
  'shutdownGraceMs',
  'adviceKey',
] as const;
const FIXED_OF_OBSERVE = ['history', 'historyDir', 'historyMaxBytes', 'historyMaxAgeDays'] as const;

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
  trace?.check();
  let current = config;
  const watched = new Observation({ clock, redactor, settings: () => current.observe });
  let gateway = gatewayName(config);
  const history = openHistory(config.observe, {
    folder: options.historyDir,
    gateway: () => gateway,
    log,
    clock,
  });
  if (history !== undefined) watched.observer.subscribe((observed) => history.record(observed));
  const ofGateway = watched.reporter('gateway');
  const version = readVersion();
  const shared =
    config.store === undefined
      ? undefined
      : await openFleet(config.store, {
          clock,
          log,
          version,
          onEvent: (event) => ofGateway.tell(event),
        });
  const fleet = shared?.fleet;
  const isolations = new Isolations({
    clock,
    log,
    file: options.isolationFile,
    isShared: shared !== undefined,
  });
  // Advice is signed for model proxies: ours, or another with the same key.
  const isSigned = config.upstreams.length > 0 || config.adviceKey !== undefined;
  const signer = isSigned
    ? new AdviceSigner(await openAdviceKey(config, { shared, file: options.adviceKeyFile, log }))
    : undefined;
  const clean = redactor.text;
  const metrics = createMetrics({
    state: () => readGatewayState({ circuits, mcp: () => mcp.status(), fleet }),
    isOn: () => current.observe.metrics,
    droppedRecords: () => options.logs?.dropped,
    clean,
    version,
    clock,
  });
  watched.observer.subscribe(metrics.count);
  const telemetry = createTelemetry({
    clock,
    spans: await openSpans({ version, clean }),
    listener: metrics.operations,
  });
  const counts = newProxyCounts();
  // A configuration that is loaded anew takes no conversation its memory.
  const items = new ItemMemory();
  const starts = new ReasoningStarts(clock);
  const proxyFor = (next: GatewayConfig): Proxy =>
    createProxy({
      config: next,
      counts,
      items,
      starts,
      log,
      clock,
      fleet,
      enlist: isolations.of('proxy'),
      ...(trace === undefined ? {} : { trace }),
      report: watched.reporter('proxy'),
      captures: watched.captures,
      signer,
      telemetry,
    });
  let proxy = proxyFor(config);
  const live = new LiveRoutes(proxy);
  const mcp = await LiveMcp.open(config.mcp, {
    env: options.env ?? {},
    limit: requestLimit(config),
    clock,
    log,
    fleet,
    enlist: isolations.of('mcp'),
    report: watched.reporter('mcp'),
    signer,
    telemetry,
  });
  const ofAgents = watched.reporter('sidecar');
  const plugins = createDefaultPlugins({
    log,
    clock,
    fleet,
    enlist: isolations.of('sidecar'),
    onEvent: (event) => ofAgents.tell(event),
  });
  const circuits = (): [EventSource, readonly CircuitBreaker[]][] => [
    ['proxy', proxy.circuits()],
    ['mcp', mcp.circuits()],
    ['sidecar', plugins.circuits()],
  ];
  const admin = createAdmin({
    config: () => current,
    proxy: () => proxy.status(),
    mcp: () => mcp.status(),
    gateway: () => gateway,
    resetReasoning: (model) => starts.reset(model),
    isolations,
    openSidecar: async () => mcp.plugins ?? (await plugins.host()),
    servers: () => mcp.servers(),
    reconnectServer: (server) => mcp.reconnect(server),
    approveTools: (server, tool) => mcp.approve(server, tool),
    watched,
    circuits,
    logs: options.logs,
    history: history && historyOperation(history),
    fleet: shared,
    version,
    clock,
  });
  const sidecar = createSidecar({
    version,
    limits: () => ({ api: apiLimit(current), modelText: requestLimit(current) }),
    plugins: () => mcp.plugins ?? plugins.host(),
    clock,
    log,
    report: ofAgents,
    described: admin.described,
  });
  const { listen, token, shutdownGraceMs } = config;
  const { parts = GATEWAY_PARTS, open = (door) => listenSomewhere(door, portsToTry) } = options;
  const routes: Readonly<Record<GatewayPart, readonly Route[]>> = {
    operate: [
      ...createDashboard({ isOn: () => current.observe.dashboard }),
      ...admin.routes,
      ...metrics.routes,
    ],
    sidecar: sidecar.routes,
    mcp: mcp.routes,
    proxy: live.routes,
  };
  const server = await open({
    ...listen,
    ...(token === undefined ? {} : { token }),
    routes: GATEWAY_PARTS.flatMap((part) => (parts.includes(part) ? routes[part] : [])),
    log,
    redactor,
    clock,
    shutdownGraceMs,
  }).catch(async (error: unknown) => {
    metrics.close();
    await Promise.all([admin.close(), live.close(), mcp.close(), shared?.close()]);
    await history?.close();
    throw error;
  });
  const parsers = createDefaultRegistry()
    .list()
    .map(({ name }) => name);
  const { url } = server;
  gateway = gatewayName(config, url);
  const keepLast = history && keepTraffic(watched.traffic, { history, gateway, clock, log });
  const how = url === '' ? 'mounted' : 'listening';
  log.info({ url, parsers }, `${how}; parsers in the order they are tried`);

  return {
    url,
    replaceConfig: (next) => {
      const changed = changedKeys(current, next);
      const { observe } = current;
      const late = [
        ...FIXED.filter((each) => changed.includes(each)),
        ...FIXED_OF_OBSERVE.filter((each) => observe[each] !== next.observe[each]).map(
          (each) => `observe.${each}`,
        ),
      ];
      for (const key of late) {
        log.warn({ key }, `${key} has changed, which takes effect after a restart`);
      }
      if (changed.includes('upstreams') || changed.includes('proxy')) {
        proxy = proxyFor(next);
        live.replace(proxy);
      }
      if (changed.includes('mcp')) void mcp.replace(next.mcp);
      current = next;
      watched.captures.trim();
      ofGateway.emit({ type: 'config-loaded', changed });
      log.info({ changed }, 'configuration loaded');
    },
    close: async () => {
      // Streams of news would keep the server waiting.
      admin.retire();
      await Promise.all([server.close(), mcp.close()]);
      await admin.close();
      await sidecar.close();
      await plugins.close();
      await live.close();
      await shared?.close();
      metrics.close();
      await trace?.flush();
      keepLast?.();
      await history?.close();
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
