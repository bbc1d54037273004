import type { PluginHost } from './plugin-run.ts';

/** Where no file names plugins, none run. */
export const NO_PLUGINS: PluginHost = Object.freeze({
  begin: () => undefined,
  guardsTool: () => false,
  close: () => Promise.resolve(),
});
