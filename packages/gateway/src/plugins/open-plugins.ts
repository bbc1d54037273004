import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { CircuitFleet } from '@holdfast/core/guard';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConfigProblem } from '../config/config-problem.ts';
import { formatConfigProblem } from '../config/config-problem.ts';
import type { Environment } from '../config/expand-variables.ts';
import { watchFolder } from '../config/watch-folder.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { Logger } from '../log/logger.ts';
import { createPluginHost } from './create-plugin-host.ts';
import type { PluginSet } from './create-plugin-host.ts';
import { loadPlugins } from './load-plugins.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { PluginEventListener } from './plugin-event.ts';
import type { PluginHost } from './plugin-run.ts';
import { readPluginFile } from './read-plugin-file.ts';

export interface OpenPluginsOptions {
  readonly file: string;
  readonly env: Environment;
  readonly log: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Whether the file is read again when it changes. */
  readonly watch: boolean;
  readonly onEvent?: PluginEventListener;
  /** Shares the circuits of plugins with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
}

/** The plugins of a file, which follow it. */
export interface OpenPlugins {
  readonly host: PluginHost;
  /** Reads the file now. A file that is wrong is logged, and the plugins stay as they were. */
  readonly reload: () => Promise<void>;
}

export type OpenedPlugins =
  | ({ readonly ok: true; readonly notes: readonly string[] } & OpenPlugins)
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** An editor writes a file in several steps; it is read when they are over. */
const SETTLE_MS = 100;

/** Reads a plugin file and makes its plugins. Never rejects. */
export async function openPlugins(options: OpenPluginsOptions): Promise<OpenedPlugins> {
  const { file, log, clock = systemClock } = options;
  const first = await readAndLoad(options, []);
  if (!first.ok) return first;
  const host = createPluginHost(first.set, { log, clock });

  let known = first.versions;
  let isClosed = false;
  /** One after the other: two at a time would each keep what the other replaces. */
  let reading: Promise<void> = Promise.resolve();
  const reload = (isAsked: boolean): Promise<void> => {
    reading = reading.then(async () => {
      if (isClosed) return;
      const next = await readAndLoad(options, host.plugins);
      if (!next.ok) {
        for (const problem of next.problems)
          log.error({ file, line: problem.line, path: problem.path }, formatConfigProblem(problem));
        log.error({ file }, 'the plugins stay as they were');
        return;
      }
      // The folder holds other files too.
      if (next.versions === known && !isAsked) return;
      known = next.versions;
      for (const note of next.notes) log.info({}, note);
      host.replace(next.set);
      log.info({ file }, `plugins loaded: ${names(next.set)}`);
    });
    return reading;
  };
  const stop = options.watch ? watchFile(options, clock, () => void reload(false)) : undefined;
  return {
    ok: true,
    notes: first.notes,
    reload: () => reload(true),
    host: {
      begin: (call) => host.begin(call),
      guardsTool: (tool, server) => host.guardsTool(tool, server),
      circuitOf: (tool, server) => host.circuitOf?.(tool, server),
      circuits: () => host.circuits?.() ?? [],
      overrides: () => host.overrides?.() ?? [],
      close: async () => {
        isClosed = true;
        stop?.();
        await reading;
        await host.close();
      },
    },
  };
}

type ReadAndLoaded =
  | {
      readonly ok: true;
      readonly set: PluginSet;
      readonly notes: readonly string[];
      /** Changes with anything that matters of the file and its modules. */
      readonly versions: string;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

async function readAndLoad(
  { file, env, log, clock, onEvent, fleet, enlist }: OpenPluginsOptions,
  previous: readonly LoadedPlugin[],
): Promise<ReadAndLoaded> {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the plugin file cannot be read: ${reason}`;
    return { ok: false, problems: [{ file, line: 1, column: 1, path: '', message }] };
  }
  const read = readPluginFile(text, { file, env });
  if (!read.ok) return read;
  const means = {
    log,
    previous,
    fleet,
    enlist,
    ...(clock === undefined ? {} : { clock }),
    ...(onEvent === undefined ? {} : { onEvent }),
  };
  const loaded = await loadPlugins(read.read, means);
  if (!loaded.ok) return loaded;
  const { plugins, notes } = loaded;
  const versions = [text, ...plugins.map(({ fingerprint }) => fingerprint)].join('\n');
  return { ok: true, set: { plugins, timeoutMs: read.read.timeoutMs }, notes, versions };
}

function watchFile(
  { file, log }: OpenPluginsOptions,
  clock: Clock,
  onChange: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const soon = (): void => {
    cancel ??= clock.setTimer(
      () => {
        cancel = undefined;
        onChange();
      },
      SETTLE_MS,
      true,
    );
  };
  const close = watchFolder(dirname(file), soon, (reason) =>
    log.warn({ file }, `changes of ${file} are not seen: ${reason}`),
  );
  return () => {
    cancel?.();
    close();
  };
}

function names({ plugins }: PluginSet): string {
  return plugins.length === 0 ? 'none' : plugins.map(({ entry }) => entry.name).join(', ');
}
