import type { PluginHost } from '../../plugins/plugin-run.ts';

/** The plugins of the moment. Asked for each call, as they may be replaced or not be loaded yet. */
export type PluginSource = () => PluginHost | Promise<PluginHost>;
