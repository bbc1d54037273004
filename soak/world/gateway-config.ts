import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NEVER_OPENS } from '../../test/support/never-opens.ts';

/** Where the parts of the world are, for the gateway. */
export interface Places {
  /** By the names of model servers. */
  readonly models: Readonly<Record<'alpha' | 'beta' | 'claude' | 'resp', string>>;
  /** The model server that answers with costly bodies. */
  readonly costly: string;
  readonly ledger: string;
  readonly redis: string | undefined;
  readonly history: string;
}

/** What a reload may change. */
export interface Variant {
  /** Exchanges the proxy. */
  readonly retryBaseMs: number;
  /** Exchanges the MCP servers. */
  readonly maxResultBytes: number;
}

export const FIRST_VARIANT: Variant = { retryBaseMs: 50, maxResultBytes: 1_000_000 };

/** How long a model server may be silent, and a tool. Longer than the event loop ever stands still. */
export const SILENCE_MS = 2500;
/** How long a tool call may take in all. */
export const LONGEST_CALL_MS = 8000;
/** How long a circuit stays open. */
export const OPEN_FOR_MS = 1500;
/** How long answers may take to end at the end. */
export const GRACE_MS = 5000;
/** The names of the tool servers. One process of `desk` is started for each client that has a session. */
export const TOOL_SERVERS = ['till', 'shelf', 'desk'] as const;

const PROGRAM = fileURLToPath(new URL('../tool-server.mjs', import.meta.url));

/** Everything on, with limits of time that are short enough to be met in a run. */
export function gatewayConfig(places: Places, { retryBaseMs, maxResultBytes }: Variant): object {
  const { models, costly, ledger, redis, history } = places;
  const circuit = { openForMs: OPEN_FOR_MS };
  const limits = {
    connectTimeoutMs: SILENCE_MS,
    firstByteTimeoutMs: SILENCE_MS,
    idleTimeoutMs: SILENCE_MS,
    circuit,
  };
  const server = (name: string): object => ({
    command: process.execPath,
    args: [PROGRAM, name, ledger],
    circuit,
    ...(name === 'desk' && { instances: 'per-client' }),
  });
  return {
    listen: '127.0.0.1:0',
    upstreams: [
      { name: 'alpha', url: models.alpha, models: ['alpha-*'], ...limits },
      // Stands in for the first one.
      { name: 'beta', url: models.beta, models: ['alpha-*', 'beta-*'], ...limits },
      {
        name: 'claude',
        url: models.claude,
        protocols: ['messages'],
        models: ['claude-*'],
        ...limits,
      },
      { name: 'resp', url: models.resp, protocols: ['responses'], models: ['resp-*'], ...limits },
      { name: 'costly', url: costly, models: ['costly'], circuit: NEVER_OPENS },
    ],
    proxy: {
      retry: { maxAttempts: 3, baseDelayMs: retryBaseMs, maxDelayMs: 400, maxWaitMs: 1000 },
      keepAliveMs: 500,
    },
    mcp: {
      servers: Object.fromEntries(TOOL_SERVERS.map((name) => [name, server(name)])),
      prefix: 'always',
      timeoutMs: SILENCE_MS,
      maxDurationMs: LONGEST_CALL_MS,
      connectTimeoutMs: 5000,
      listTimeoutMs: 2000,
      maxResultBytes,
    },
    ...(redis !== undefined && { store: redis }),
    observe: {
      capture: true,
      captureRequests: 50,
      historyDir: history,
      historyMaxBytes: 1_000_000,
    },
    log: { level: 'info' },
    shutdownGraceMs: GRACE_MS,
  };
}

/** A file that is wrong, of which nothing may be taken over. */
export const BROKEN_CONFIG = 'listen: 127.0.0.1:0\nupstreams: [ { url: "no address" \n';

/** Where the ledger of a run is. */
export const ledgerIn = (folder: string): string => join(folder, 'ledger.jsonl');
