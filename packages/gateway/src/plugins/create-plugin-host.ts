import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { Plugin } from './plugin.ts';
import { objectOf } from '../proxy/json/json-fields.ts';
import { PluginChain } from './plugin-chain.ts';
import type { ConditionSubject } from './plugin-conditions.ts';
import type { PluginHost } from './plugin-run.ts';

/** Plugins, and how long each of them may take. */
export interface PluginSet {
  /** In the order in which they run. */
  readonly plugins: readonly LoadedPlugin[];
  readonly timeoutMs: number;
}

/** A host whose plugins can be exchanged while calls run. */
export interface ReloadablePluginHost extends PluginHost {
  /** What runs around calls from now on. Those that have begun stay with the plugins they began with. */
  replace(next: PluginSet): void;
  readonly plugins: readonly LoadedPlugin[];
}

/** Runs plugins around calls. A plugin is shut down once no call can reach it any more. */
export function createPluginHost(
  first: PluginSet,
  means: { readonly log: Logger; readonly clock?: Clock },
): ReloadablePluginHost {
  const { log, clock = systemClock } = means;
  const chainOf = ({ plugins, timeoutMs }: PluginSet): PluginChain =>
    new PluginChain(plugins, { timeoutMs, clock, log });
  let current = chainOf(first);
  const alive = new Set<PluginChain>([current]);

  const shutDown = async (plugins: readonly LoadedPlugin[]): Promise<void> => {
    // One that did not change is in the next chain too, and in use.
    const used = new Set<Plugin>();
    for (const chain of alive) for (const { plugin } of chain.plugins) used.add(plugin);
    const ended = new Map(plugins.map((loaded) => [loaded.plugin, loaded]));
    for (const plugin of used) ended.delete(plugin);
    await Promise.all([...ended.values()].map((loaded) => end(loaded, log, clock)));
  };
  const retire = (chain: PluginChain): void =>
    chain.retire(() => {
      if (alive.delete(chain)) void shutDown(chain.plugins);
    });

  return {
    get plugins() {
      return current.plugins;
    },
    begin: (call) => (current.plugins.length === 0 ? undefined : current.begin(call)),
    guardsTool: (tool, server) => current.guards(subjectOf(tool, server)),
    circuitOf: (tool, server) => current.circuitOf(subjectOf(tool, server)),
    circuits: () => current.circuits,
    overrides: () =>
      current.plugins.map(({ entry: { name, config } }) => ({
        plugin: name,
        tools: Object.keys(objectOf(config['tool_overrides'])),
      })),
    replace: (next) => {
      const old = current;
      current = chainOf(next);
      alive.add(current);
      retire(old);
    },
    close: async () => {
      const all = [...alive].flatMap(({ plugins }) => plugins);
      alive.clear();
      await shutDown(all);
    },
  };
}

function subjectOf(tool: string, server: string | undefined): ConditionSubject {
  return { tool, ...(server === undefined ? {} : { server }) };
}

/** A plugin that does not end must not keep the gateway from ending. */
const SHUTDOWN_MS = 5000;

function end({ plugin, entry: { name } }: LoadedPlugin, log: Logger, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const tell = (reason: string): void =>
      log.warn({ plugin: name }, `plugin ${name} failed to shut down: ${reason}`);
    const cancel = clock.setTimer(() => {
      tell(`it took longer than ${SHUTDOWN_MS / 1000} s`);
      resolve();
    }, SHUTDOWN_MS);
    Promise.resolve()
      .then(() => plugin.shutdown?.())
      .catch((error: unknown) => tell(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        cancel();
        resolve();
      });
  });
}
