import type { Clock, JsonObject } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { onTestFinished } from 'vitest';
import { runningServer } from '../http/running-server.case.ts';
import type { MemoryLogger } from '../log/memory-logger.case.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { Reporter } from '../observe/reporter.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';
import { createSidecar } from './create-sidecar.ts';

export interface SidecarAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: JsonObject;
}

export interface RunningSidecar {
  readonly url: string;
  readonly log: MemoryLogger;
  readonly ask: (path: string, body: unknown) => Promise<SidecarAnswer>;
  readonly close: () => Promise<void>;
}

export interface RunningSidecarOptions {
  readonly plugins?: PluginHost | Promise<PluginHost>;
  readonly clock?: Clock;
  readonly maxBytes?: number;
  readonly report?: Reporter;
}

/** Plugins that do nothing. */
export const NO_PLUGINS: PluginHost = {
  begin: () => undefined,
  guardsTool: () => false,
  close: async () => undefined,
};

/** A sidecar on a free port that is closed with the test. */
export async function runningSidecar(options: RunningSidecarOptions = {}): Promise<RunningSidecar> {
  const { plugins = NO_PLUGINS, clock = systemClock, maxBytes = 100_000, report } = options;
  const log = memoryLogger();
  const sidecar = createSidecar({
    version: '1.2.3',
    limits: () => ({
      api: { maxBytes, key: 'api.maxRequestBytes' },
      modelText: { maxBytes, key: 'proxy.maxRequestBytes' },
    }),
    plugins: () => plugins,
    clock,
    log,
    ...(report !== undefined && { report }),
  });
  onTestFinished(() => sidecar.close());
  const server = await runningServer(undefined, { routes: sidecar.routes, log });
  const url = `${server.url}/api/v1`;
  return {
    url,
    log,
    close: () => sidecar.close(),
    ask: async (path, body) => {
      const answer = await fetch(`${url}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const json = (await answer.json()) as JsonObject;
      return { status: answer.status, headers: answer.headers, json };
    },
  };
}
