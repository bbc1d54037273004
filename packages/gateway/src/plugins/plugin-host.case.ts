import { ManualClock } from '@holdfast/core/testing';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { MemoryLogger } from '../log/memory-logger.case.ts';
import { createPluginHost } from './create-plugin-host.ts';
import type { ReloadablePluginHost } from './create-plugin-host.ts';
import { loadPlugins } from './load-plugins.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { Plugin } from './plugin.ts';
import type { PluginEntry } from './plugin-entry.ts';
import type { PluginRun } from './plugin-run.ts';
import { readPluginFile } from './read-plugin-file.ts';

export interface HostUnderTest {
  readonly host: ReloadablePluginHost;
  readonly clock: ManualClock;
  readonly log: MemoryLogger;
  /** A call of a tool, which fails the test where no plugin runs. */
  readonly begin: (tool?: string, server?: string) => PluginRun;
}

/** Plugins by hand, in the order they are given. */
export function hostOf(
  plugins: readonly LoadedPlugin[],
  timeoutMs = 1000,
  clock: ManualClock = new ManualClock(),
): HostUnderTest {
  const log = memoryLogger();
  const host = createPluginHost({ plugins, timeoutMs }, { log, clock });
  let calls = 0;
  return {
    host,
    clock,
    log,
    begin: (tool = 'search', server) => {
      const requestId = String(++calls);
      const run = host.begin({ requestId, tool, ...(server === undefined ? {} : { server }) });
      if (run === undefined) throw new Error('no plugin runs around this call');
      return run;
    },
  };
}

/** A plugin of somebody else. */
export function loadedPlugin(plugin: Plugin, entry: Partial<PluginEntry> = {}): LoadedPlugin {
  const name = entry.name ?? 'test';
  return {
    plugin,
    isOurs: false,
    keepsCircuits: false,
    fingerprint: name,
    entry: {
      name,
      kind: './test.mjs',
      phase: 'sequential',
      onError: 'fail',
      priority: 100,
      conditions: [],
      config: {},
      path: [],
      ...entry,
    },
  };
}

/** The plugins of a file, as they are in the gateway. */
export async function hostOfYaml(
  yaml: string,
  env: Readonly<Record<string, string>> = {},
  random: () => number = () => 0.5,
): Promise<HostUnderTest> {
  const file = readPluginFile(yaml, { file: '/plugins.yaml', env });
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  const clock = new ManualClock();
  const loaded = await loadPlugins(file.read, { log: memoryLogger(), clock, random });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return hostOf(loaded.plugins, file.read.timeoutMs, clock);
}
