import type { Clock, JsonObject } from '@holdfast/core';
import type { CircuitBreaker, CircuitFleet } from '@holdfast/core/guard';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { Logger } from '../log/logger.ts';
import type { LoadedPlugin } from '../plugins/loaded-plugin.ts';
import type { PluginEventListener } from '../plugins/plugin-event.ts';
import { pluginNamespace } from '../plugins/plugin-namespace.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';

export interface DefaultPluginsOptions {
  readonly log: Logger;
  readonly clock: Clock;
  readonly onEvent?: PluginEventListener;
  /** Shares circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
}

/** Plugins that are loaded when they are first asked for. */
export interface DefaultPlugins {
  readonly host: () => Promise<PluginHost>;
  /** None while nobody has asked for them. */
  readonly circuits: () => readonly CircuitBreaker[];
  readonly close: () => Promise<void>;
}

interface DefaultPlugin {
  readonly name: string;
  readonly kind: string;
  readonly config: JsonObject;
}

/** What runs where no plugins are configured, in this order. Its circuits count what all circuits of the gateway do. */
export const DEFAULT_PLUGINS: readonly DefaultPlugin[] = Object.freeze([
  {
    name: 'CircuitBreaker',
    kind: 'circuit-breaker',
    config: { counts: { 'invalid-arguments': false, auth: false, 'not-found': false } },
  },
  { name: 'FallbackAdvisor', kind: 'fallback-advisor', config: {} },
]);

/** As long as plugins may take where a file says nothing. */
const TIMEOUT_MS = 30_000;

/** What runs around the calls of agents where no plugins are configured: circuits and advice. */
export function createDefaultPlugins(options: DefaultPluginsOptions): DefaultPlugins {
  let host: Promise<PluginHost> | undefined;
  let loaded: PluginHost | undefined;
  const begin = async (): Promise<PluginHost> => (loaded = await load(options));
  return {
    host: () => (host ??= begin()),
    circuits: () => loaded?.circuits?.() ?? [],
    close: async () => (await host)?.close(),
  };
}

async function load({
  log,
  clock,
  onEvent,
  fleet,
  enlist,
}: DefaultPluginsOptions): Promise<PluginHost> {
  // Slow to load, and most gateways are never asked.
  const { createPluginHost } = await import('../plugins/create-plugin-host.ts');
  const { loadBuiltIn } = await import('../plugins/built-in-kinds.ts');
  const plugins = await Promise.all(
    DEFAULT_PLUGINS.map(async ({ name, kind, config }, index): Promise<LoadedPlugin> => {
      const builtIn = await loadBuiltIn(kind);
      if (builtIn === undefined) throw new TypeError(`there is no built-in plugin ${kind}`);
      return {
        entry: {
          name,
          kind,
          phase: 'sequential',
          onError: 'ignore',
          priority: index,
          conditions: [],
          config,
          path: [],
        },
        plugin: builtIn.make(config, {
          log,
          clock,
          random: Math.random,
          ...(onEvent === undefined ? {} : { onEvent }),
          enlist,
          ...(fleet === undefined ? {} : { fleet: { fleet, namespace: pluginNamespace(name) } }),
        }),
        isOurs: true,
        keepsCircuits: builtIn.keepsCircuits,
        fingerprint: kind,
      };
    }),
  );
  return createPluginHost({ plugins, timeoutMs: TIMEOUT_MS }, { log, clock });
}
