import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { stateFolder } from './agents/hook/state-folder.ts';
import { EXIT } from './cli/exit-codes.ts';
import type { Io } from './cli/io.ts';
import { Misuse } from './cli/misuse.ts';
import { readVersion } from './cli/version.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import type { ConfigWatch } from './config/watch-config.ts';
import { usualHistoryFolder } from './history/open-history.ts';
import { configSecrets, Redactor, urlWithoutSecrets } from './redact/redactor.ts';
import { createLogger } from './log/create-logger.ts';
import { LogRing } from './log/log-ring.ts';
import type { Logger } from './log/logger.ts';
import { NO_UPSTREAM } from './proxy/upstream/upstreams.ts';
import { warnUnreachable } from './proxy/upstream/warn-unreachable.ts';
import { startGateway } from './start-gateway.ts';
import { openLogRecords } from './telemetry/open-log-records.ts';

/** What a command adds to a gateway that runs. */
export interface GatewayHooks {
  /** What is printed once requests are taken. Default: the addresses for clients, and the upstreams. */
  readonly greeting?: (url: string) => string;
  /** How many ports are tried, from the configured one upwards, while they are in use. Default: 1. */
  readonly portsToTry?: number;
  /** Default: one that writes to standard error. */
  readonly log?: Logger;
  /** Only lines of this level and above are written; `holdfast logs` tells all. Default: those that are logged. */
  readonly writeLogFrom?: GatewayConfig['log']['level'];
  /** What was set right in the configuration, for the log. */
  readonly notes?: readonly string[];
  /** What begins when requests are taken; what it returns ends it. */
  readonly started?: (url: string, log: Logger) => (() => Promise<void>) | undefined;
  /** Follows the files of the configuration. Default: there are none, and SIGHUP is refused with a log line. */
  readonly watch?: (onConfig: (config: GatewayConfig) => void, log: Logger) => ConfigWatch;
}

/** Runs the gateway until it is told to stop: once to let answers end, twice to stop at once. Returns the exit code. */
export async function runGateway(
  config: GatewayConfig,
  io: Io,
  hooks: GatewayHooks = {},
): Promise<number> {
  const { greeting = (url) => greet(url, config), portsToTry = 1, notes = [], watch } = hooks;
  const redactor = new Redactor(configSecrets(config));
  const logs = new LogRing();
  const sendLine = openLogRecords(readVersion());
  let setGreeted = (): void => undefined;
  const greeted = new Promise<void>((resolve) => (setGreeted = resolve));
  const log =
    hooks.log ??
    createLogger({
      // What is logged on the way would push the addresses out of sight.
      after: greeted,
      level: config.log.level,
      writeFrom: hooks.writeLogFrom ?? config.log.level,
      format: io.stderr.isTerminal ? 'text' : 'json',
      redactor,
      onLine: (line) => {
        logs.add(line);
        sendLine?.(line);
      },
      onDrop: (records) => (logs.dropped += records),
    });
  const stopped = stopSignal(io);
  let reload = (): void => {
    if (watch !== undefined) return;
    log.warn({}, 'SIGHUP is ignored: the configuration comes from options, and no file is read');
  };
  const ignoreReload = io.onSignal('SIGHUP', () => reload());
  let gateway;
  try {
    const historyDir = config.observe.history ? usualHistoryFolder(io.env, log) : undefined;
    gateway = await startGateway(config, {
      log,
      redactor,
      portsToTry,
      env: io.env,
      logs,
      historyDir,
      isolationFile: isolationFile(config, io.env, log),
      adviceKeyFile: stateFile(io.env, log, 'advice-key'),
    });
  } catch (error) {
    stopped.forget();
    ignoreReload();
    const message = error instanceof Error ? error.message : String(error);
    io.stderr.write(`holdfast: ${redactor.text(message)}\n`);
    setGreeted();
    return error instanceof Misuse ? EXIT.misuse : EXIT.failed;
  }
  io.stdout.write(greeting(gateway.url));
  setGreeted();
  for (const note of notes) log.info({}, note);
  if (config.upstreams.length === 0 && config.mcp === undefined) log.warn({}, NO_UPSTREAM);
  const checked = new AbortController();
  warnUnreachable(config.upstreams, log, checked.signal);
  const running = gateway;
  const end = hooks.started?.(gateway.url, log);
  const watched = watch?.((next) => {
    // Requests that began before may still log the secrets of their day.
    redactor.setSecrets([...configSecrets(config), ...configSecrets(next)]);
    running.replaceConfig(next);
  }, log);
  if (watched !== undefined) reload = () => watched.reload();
  const signal = await stopped.promise;
  log.info({ signal }, 'stopping; answers under way may end, a second signal stops at once');
  ignoreReload();
  checked.abort();
  watched?.close();
  await end?.();
  await gateway.close();
  return EXIT.ok;
}

/** A gateway is known by its address. One on a port of chance is another after a restart. */
function isolationFile(
  { listen: { host, port } }: GatewayConfig,
  env: Io['env'],
  log: Logger,
): string | undefined {
  if (port === 0) return undefined;
  return stateFile(env, log, 'isolations', `${host.replaceAll(/[^\w.-]/g, '_')}-${port}.json`);
}

/** Undefined where there is no place for what is kept over a restart. */
function stateFile(env: Io['env'], log: Logger, ...path: readonly string[]): string | undefined {
  try {
    return join(stateFolder(env, process.platform), ...path);
  } catch (error) {
    log.warn({ error, path }, 'this is not kept over a restart: there is no state folder');
    return undefined;
  }
}

/**
 * The first signal to stop. It is listened to once: from then on the next one has its usual effect, which is
 * to end the process at once.
 */
function stopSignal(io: Io): { readonly promise: Promise<string>; forget(): void } {
  let forget = (): void => undefined;
  const promise = new Promise<string>((resolve) => {
    const stops = (['SIGINT', 'SIGTERM'] as const).map((signal) =>
      io.onSignal(signal, () => {
        forget();
        resolve(signal);
      }),
    );
    forget = () => {
      for (const stop of stops) stop();
    };
  });
  return { promise, forget: () => forget() };
}

function greet(url: string, config: GatewayConfig): string {
  const { listen, upstreams, mcp, store, observe } = config;
  const lines = [
    ...listenLines(url, listen),
    ...(observe.dashboard ? [`  dashboard          ${url}/`] : []),
    ...(mcp === undefined
      ? []
      : [
          `  MCP clients        ${url}/mcp`,
          ...mcp.servers.map(({ name }) => `  MCP server         ${name}`),
        ]),
    ...(upstreams.length === 0 && mcp !== undefined
      ? []
      : [
          `  OpenAI clients     ${url}/v1  (Chat Completions, and Responses as Codex speaks it)`,
          `  Anthropic clients  ${url}`,
        ]),
    ...upstreams.map(
      ({ name, url: asked, protocols }) =>
        `  upstream           ${name}: ${asked} (${protocols.join(', ')})`,
    ),
    ...(store === undefined ? [] : [`  circuits shared    ${urlWithoutSecrets(store.url)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where the gateway listens; on all addresses, also how others reach it. */
function listenLines(url: string, { host, hosts = [] }: GatewayConfig['listen']): string[] {
  const at = (name: string): string => `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
  const { port } = new URL(url);
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const first = isEverywhere ? `${at(host)} (all addresses of this machine)` : url;
  return [
    `Holdfast listens on ${first}`,
    ...(isEverywhere ? othersReach(host).map((name) => `  from elsewhere     ${at(name)}`) : []),
    ...hosts.map((name) => `  other names        ${at(name)}`),
  ];
}

/** The addresses of this machine that other machines know. */
function othersReach(host: string): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
    .map(({ address }) => address)
    .filter((address) => host === '::' || !isIPv6(address));
}
