import type { Plugin } from './plugin.ts';
import type { PluginEntry } from './plugin-entry.ts';

/** A plugin that is there, and what its file says of it. */
export interface LoadedPlugin {
  readonly entry: PluginEntry;
  readonly plugin: Plugin;
  /** Ours change nothing in place and answer as they should; of others neither is taken for granted. */
  readonly isOurs: boolean;
  /** Whether it refuses calls of tools that keep failing, as the gateway's own circuits do. */
  readonly keepsCircuits: boolean;
  /** The same text for the same kind with the same configuration: such a plugin is kept when a file is read again. */
  readonly fingerprint: string;
}
