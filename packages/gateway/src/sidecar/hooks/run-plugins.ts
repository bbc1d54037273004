import type { PluginViolation } from '../../plugins/plugin.ts';
import type { Logger } from '../../log/logger.ts';

/** What plugins came to, or that they failed. */
export type PluginsOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violation: PluginViolation };

/**
 * Whether an error of a plugin matters is decided by its mode, long before this: one that comes this far must
 * stop the call. What it says is for the log, as it may hold anything.
 */
export async function runPlugins<T>(
  log: Logger,
  tool: string,
  work: () => Promise<T>,
): Promise<PluginsOutcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    log.error({ error, tool }, 'the plugins around a tool failed');
    return { ok: false, violation: PLUGIN_ERROR };
  }
}

const PLUGIN_ERROR: PluginViolation = Object.freeze({
  reason: 'A plugin failed',
  description:
    'A plugin of the gateway failed, so the call must not go on. Its log has the reason.',
  code: 'PLUGIN_ERROR',
  details: {},
});
