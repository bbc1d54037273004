import type { PluginHost } from '../plugins/plugin-run.ts';

/** What runs around the calls of agents where no plugins are configured. */
export function createDefaultPlugins(): PluginHost {
  return { begin: () => undefined, guardsTool: () => false, close: async () => undefined };
}
