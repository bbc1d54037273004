import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { CircuitFleet, Random } from '@holdfast/core/guard';
import { didYouMean } from '../cli/nearest.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import { fillIn, retype } from '../config/fill-in.ts';
import { readIssue } from '../config/read-issue.ts';
import type { BrokenRule } from '../config/read-issue.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { Logger } from '../log/logger.ts';
import type { BuiltInPlugin, PluginMeans } from './built-in/built-in-plugin.ts';
import { BUILT_IN_CLASSES, BUILT_IN_NAMES, builtInName } from './built-in-kinds.ts';
import { classNameIn, loadBuiltIn } from './built-in-kinds.ts';
import { findPluginModule, isModulePath } from './find-plugin-module.ts';
import { loadPluginModule, moduleVersion } from './load-plugin-module.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';
import type { PluginEntry } from './plugin-entry.ts';
import type { PluginEventListener } from './plugin-event.ts';
import { pluginNamespace } from './plugin-namespace.ts';
import type { PluginFile } from './read-plugin-file.ts';

export type LoadedPlugins =
  | {
      readonly ok: true;
      readonly plugins: readonly LoadedPlugin[];
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface LoadPluginsOptions {
  readonly log: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly random?: Random;
  readonly onEvent?: PluginEventListener;
  /** Shares the circuits of plugins with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
  /** The plugins until now: those whose kind and configuration stay are kept, with all they know. */
  readonly previous?: readonly LoadedPlugin[];
}

/** Makes the plugins a file asks for, or says all that is wrong with them. Never rejects. */
export async function loadPlugins(
  file: PluginFile,
  options: LoadPluginsOptions,
): Promise<LoadedPlugins> {
  const { log, clock = systemClock, random = Math.random, previous = [], onEvent, fleet } = options;
  const loaded = await Promise.all(
    file.entries.map((entry) => {
      const means = {
        log: log.child({ plugin: entry.name }),
        clock,
        random,
        enlist: options.enlist,
        ...(onEvent === undefined ? {} : { onEvent }),
        ...(fleet === undefined
          ? {}
          : { fleet: { fleet, namespace: pluginNamespace(entry.name) } }),
      };
      return loadOne(entry, file, { means, previous });
    }),
  );
  const problems = loaded.flatMap((each) => ('broken' in each ? each.broken : []));
  const plugins = loaded.flatMap((each) => ('broken' in each ? [] : [each]));
  if (problems.length > 0) {
    // Those that were made for nothing let go of what they hold.
    const kept = new Set(previous.map(({ plugin }) => plugin));
    const unused = plugins.filter(({ plugin }) => !kept.has(plugin));
    await Promise.allSettled(unused.map(async ({ plugin }) => plugin.shutdown?.()));
    return { ok: false, problems: problems.map((rule) => file.problemAt(rule)) };
  }
  return { ok: true, plugins, notes: [...file.notes, ...plugins.flatMap(missingHooks)] };
}

type LoadedOne = LoadedPlugin | { readonly broken: readonly BrokenRule[] };

interface OneOptions {
  readonly means: PluginMeans;
  readonly previous: readonly LoadedPlugin[];
}

async function loadOne(
  entry: PluginEntry,
  file: PluginFile,
  options: OneOptions,
): Promise<LoadedOne> {
  const { kind } = entry;
  const name = builtInName(kind);
  const ours = name === undefined ? undefined : await loadBuiltIn(name);
  if (ours !== undefined) return makeBuiltIn(entry, ours, options);
  if (kind === 'external') {
    return brokenKind(
      entry,
      'expected a built-in plugin or the path of an ES module, got "external": plugins that run as servers of their own are not supported',
    );
  }
  return isModulePath(kind)
    ? loadModule(entry, file, options)
    : brokenKind(entry, unknownKind(kind));
}

function makeBuiltIn(entry: PluginEntry, ours: BuiltInPlugin, options: OneOptions): LoadedOne {
  const { config, broken } = readConfig(entry, ours);
  if (broken.length > 0) return { broken };
  const fingerprint = JSON.stringify([entry.name, entry.kind, config]);
  const before = options.previous.find((known) => known.fingerprint === fingerprint);
  const plugin = before?.plugin ?? ours.make(config, options.means);
  return { entry, plugin, isOurs: true, keepsCircuits: ours.keepsCircuits, fingerprint };
}

/** Text that is a number counts as one: variables are text. */
function readConfig(
  { config, path }: PluginEntry,
  { schema }: BuiltInPlugin,
): { readonly config: unknown; readonly broken: readonly BrokenRule[] } {
  const filled = fillIn(config, {}, (text) => ({ ok: true, text, expanded: true }));
  let given = filled.value;
  let read = schema.safeParse(given);
  const retyped = read.success ? undefined : retype(filled, read.error.issues);
  if (retyped !== undefined) {
    given = retyped;
    read = schema.safeParse(given);
  }
  if (read.success) return { config: given, broken: [] };
  const rules = read.error.issues.flatMap((issue) => readIssue(issue, given, schema));
  return {
    config: given,
    broken: rules.map((rule) => ({ ...rule, path: [...path, 'config', ...rule.path] })),
  };
}

async function loadModule(
  entry: PluginEntry,
  file: PluginFile,
  { means, previous }: OneOptions,
): Promise<LoadedOne> {
  const found = findPluginModule(entry.kind, file);
  if (!found.ok) return brokenKind(entry, found.problem);
  const { log, clock } = means;
  try {
    const version = moduleVersion(found.file);
    const fingerprint = JSON.stringify([entry.name, found.file, version, entry.config]);
    const before = previous.find((known) => known.fingerprint === fingerprint);
    const plugin =
      before?.plugin ?? (await loadPluginModule(found.file, entry.config, { log, clock }));
    return { entry, plugin, isOurs: false, keepsCircuits: false, fingerprint };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return brokenKind(entry, `"${entry.kind}" could not be loaded: ${reason}`);
  }
}

function unknownKind(kind: string): string {
  const className = classNameIn(kind);
  const near =
    className === undefined
      ? didYouMean(kind, BUILT_IN_NAMES)
      : didYouMean(className, BUILT_IN_CLASSES);
  return `expected ${BUILT_IN_NAMES.join(', ')} or the path of an ES module, got "${kind}"${near}`;
}

function brokenKind({ path }: PluginEntry, message: string): LoadedOne {
  return { broken: [{ path: [...path, 'kind'], message, isKey: false }] };
}

function missingHooks({ entry: { name, hooks = [] }, plugin }: LoadedPlugin): string[] {
  return hooks
    .filter((hook) => plugin[hook] === undefined)
    .map((hook) => `plugin ${name}: it has no ${hook}, so that naming it in hooks does nothing`);
}
