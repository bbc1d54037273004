import type { Clock } from '@holdfast/core';
import type { CircuitFleet } from '@holdfast/core/guard';
import { Misuse } from '../cli/misuse.ts';
import type { Environment } from '../config/expand-variables.ts';
import { formatConfigProblem } from '../config/config-problem.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { Logger } from '../log/logger.ts';
import { NO_PLUGINS } from '../plugins/no-plugins.ts';
import type { PluginEventListener } from '../plugins/plugin-event.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';

export interface McpPluginMeans {
  readonly env: Environment;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onEvent?: PluginEventListener;
  /** Shares the circuits of plugins with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
}

/** The plugins of a file, which follow it; none without a file. Rejects with all that is wrong with the file. */
export async function openMcpPlugins(
  file: string | undefined,
  means: McpPluginMeans,
): Promise<PluginHost> {
  if (file === undefined) return NO_PLUGINS;
  const { openPlugins } = await import('../plugins/open-plugins.ts');
  const opened = await openPlugins({ ...means, file, watch: true });
  if (!opened.ok) throw new Misuse(opened.problems.map(formatConfigProblem).join('\n'));
  for (const note of opened.notes) means.log.info({ file }, note);
  return opened.host;
}
