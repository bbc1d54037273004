import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { GATEWAY_PARTS } from '../gateway-part.ts';
import type { GatewayPart } from '../gateway-part.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { hasRoute } from '../http/find-route.ts';
import { createHostCheck } from '../http/host-check.ts';
import { HTTP_LIMITS } from '../http/http-limits.ts';
import type { Route } from '../http/http-exchange.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { checkLocalPeer } from '../http/local-peer-check.ts';
import { RequestError } from '../http/request-error.ts';
import { Responder } from '../http/responder.ts';
import { configSecrets, Redactor } from '../redact/redactor.ts';
import { createLogger } from '../log/create-logger.ts';
import type { LogDestination } from '../log/create-logger.ts';
import { startGateway } from '../start-gateway.ts';
import { ConfigError } from './config-error.ts';
import type { GatewayHandler } from './gateway-handler.ts';
import { readLibraryConfig } from './library-config.ts';
import type { LibraryConfig, ReadOptions } from './library-config.ts';

/** A configuration of what is mounted: who listens, and where, is for the app to say. */
export type HandlerConfig = Omit<LibraryConfig, 'listen'>;

export interface HandlerOptions extends ReadOptions {
  /**
   * What is served: `proxy` (`/v1/…`), `mcp` (`/mcp`), `sidecar` (`/api/v1/…`) and `operate` (`/healthz`,
   * `/metrics`, the dashboard and its API). Default: `proxy` and `mcp` where they are configured, and `sidecar`.
   */
  readonly parts?: readonly GatewayPart[] | undefined;
  /** Names that the app is reached by, beside those of this machine itself. They need a token. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** What stands before our paths, where nobody takes it away, such as `/ai`. Default: nothing. */
  readonly basePath?: string | undefined;
  /** Where the lines of the log go. Default: standard error. */
  readonly logTo?: LogDestination | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/**
 * The gateway as a handler for a server of yours. All rules of a gateway that listens by itself hold: its token,
 * its own names only, no web pages, bodies of limited size, and without a token nobody from another machine.
 * Rejects with a `ConfigError` where something cannot work.
 */
export async function createHandler(
  config: HandlerConfig,
  options: HandlerOptions = {},
): Promise<GatewayHandler> {
  const read = readLibraryConfig(config, options, true);
  check(config, read, options);
  const { parts = defaultParts(read), hosts = [], basePath = '', logTo, clock } = options;
  const redactor = new Redactor(configSecrets(read));
  const { level } = read.log;
  const log = createLogger({ level, redactor, ...(logTo && { destination: logTo }) });
  let mounted: Mounted | undefined;
  const gateway = await startGateway(read, {
    log,
    redactor,
    parts,
    env: options.env ?? {},
    ...(clock && { clock }),
    open: (door) => {
      const checkHost = createHostCheck({ listenHost: '127.0.0.1', hosts, setting: 'hosts' });
      const responder = new Responder({
        ...door,
        checkHost,
        maxHeaders: HTTP_LIMITS.maxHeaders,
        ...(read.token === undefined && { checkPeer: checkLocalPeer }),
        targetOf: (request) => below(basePath, request),
        // Node does so for every server that does not look at it itself.
        isContinueSent: true,
      });
      mounted = { responder, routes: door.routes };
      return Promise.resolve({ url: '', port: 0, close: () => responder.close() });
    },
  });
  if (mounted === undefined) throw new TypeError('the gateway has opened no door');
  const { responder, routes } = mounted;
  const handler = (request: IncomingMessage, response: ServerResponse): void =>
    responder.respond(request, response);
  return Object.assign(handler, {
    owns: ({ url = '' }: IncomingMessage) => {
      const [path = ''] = url.split('?', 1);
      return isBelow(basePath, path) && hasRoute(routes, path.slice(basePath.length));
    },
    close: () => gateway.close(),
  });
}

const OPTIONS: readonly string[] = [
  'parts',
  'hosts',
  'basePath',
  'logTo',
  'clock',
  'env',
  'folder',
];

interface Mounted {
  readonly responder: Responder;
  readonly routes: readonly Route[];
}

function defaultParts({ upstreams, mcp }: GatewayConfig): readonly GatewayPart[] {
  const isThere = {
    operate: false,
    sidecar: true,
    mcp: mcp !== undefined,
    proxy: upstreams.length > 0,
  };
  return GATEWAY_PARTS.filter((part) => isThere[part]);
}

function check(config: HandlerConfig, read: GatewayConfig, options: HandlerOptions): void {
  const { parts = [], hosts = [], basePath = '' } = options;
  const problems = Object.keys(options)
    .filter((name) => !OPTIONS.includes(name))
    .map((name) => `option ${name}: expected only ${OPTIONS.join(', ')}`);
  if ('listen' in config) {
    problems.push(
      'listen: expected nothing, as it is the app that listens; other names of it go into the option hosts',
    );
  }
  for (const part of parts) {
    if (!GATEWAY_PARTS.includes(part))
      problems.push(`parts: expected ${GATEWAY_PARTS.join(', ')}, got ${JSON.stringify(part)}`);
  }
  if (parts.includes('proxy') && read.upstreams.length === 0)
    problems.push('upstreams: expected a list of upstreams, each with a url, for the part proxy');
  if (parts.includes('mcp') && read.mcp === undefined)
    problems.push('mcp: expected servers, or files that name them, for the part mcp');
  const strangers = hosts.filter((host) => !isLoopback(host));
  if (strangers.length > 0 && read.token === undefined) {
    problems.push(
      `token: expected one, as others reach the app as ${strangers.join(', ')} and could use the ` +
        'gateway and its keys',
    );
  }
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath)) {
    const got = JSON.stringify(basePath);
    problems.push(`basePath: expected a path such as /ai, without a slash at its end, got ${got}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(`${basePath}/`);
}

function below(basePath: string, { url = '' }: IncomingMessage): string {
  if (basePath === '' || isBelow(basePath, url)) return url.slice(basePath.length);
  throw new RequestError(404, 'not-found', `there is nothing here; paths begin with ${basePath}/`);
}
