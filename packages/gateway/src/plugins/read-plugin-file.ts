import type { JsonObject } from '@holdfast/core';
import { dirname, resolve } from 'node:path';
import type { ConfigProblem } from '../config/config-problem.ts';
import { formatConfigPath } from '../config/config-problem.ts';
import type { Environment } from '../config/expand-variables.ts';
import { fillIn, retype } from '../config/fill-in.ts';
import type { BrokenRule } from '../config/read-issue.ts';
import { readIssue } from '../config/read-issue.ts';
import { readYaml } from '../config/read-yaml.ts';
import type { PluginHook } from './plugin.ts';
import type { PluginEntry } from './plugin-entry.ts';
import { onErrorOf, phaseOf, PLUGIN_PHASES } from './plugin-mode.ts';
import type { PluginFileContent } from './plugin-schema.ts';
import {
  IDLE_CONDITIONS,
  IDLE_SETTINGS,
  pluginFileSchema,
  pluginListSchema,
  TOOL_HOOKS,
} from './plugin-schema.ts';
import { setTemplatesAside } from './plugin-templates.ts';
import { unsupportedPattern } from './user-pattern.ts';

/** A plugin file, ready to be loaded. */
export interface PluginFile {
  readonly file: string;
  /** In the order in which they run, without those that are disabled. */
  readonly entries: readonly PluginEntry[];
  /** Folders with modules of plugins. */
  readonly dirs: readonly string[];
  readonly timeoutMs: number;
  /** What is taken and does nothing here. */
  readonly notes: readonly string[];
  /** Tells what was found wrong later, with its place in the file. */
  problemAt(rule: BrokenRule): ConfigProblem;
}

export type ReadPluginFile =
  | { readonly ok: true; readonly read: PluginFile }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads the text of a plugin file: a section with `plugins`, or just the list of them. Never throws. */
export function readPluginFile(
  text: string,
  from: { readonly file: string; readonly env: Environment },
): ReadPluginFile {
  const { file, env } = from;
  const templates = setTemplatesAside(text);
  const yaml = readYaml(templates.text);
  if (!yaml.ok) {
    const problems = yaml.problems.map((problem) => ({ file, path: '', ...problem }));
    return { ok: false, problems };
  }
  const problemAt = ({ path, message, isKey }: BrokenRule): ConfigProblem => ({
    file,
    ...yaml.placeOf(path, isKey),
    path: formatConfigPath(path),
    message,
  });
  const isList = Array.isArray(yaml.value);
  const schema = isList ? pluginListSchema : pluginFileSchema;
  const filled = fillIn(yaml.value ?? {}, env, templates.expand);
  let given = filled.value;
  let read = schema.safeParse(given);
  const retyped = read.success ? undefined : retype(filled, read.error.issues);
  if (retyped !== undefined) {
    given = retyped;
    read = schema.safeParse(given);
  }
  const broken = [...filled.problems];
  if (!read.success) {
    const told = new Set(broken.map(({ path }) => formatConfigPath(path)));
    const rules = read.error.issues.flatMap((issue) => readIssue(issue, given, schema));
    for (const rule of rules) if (!told.has(formatConfigPath(rule.path))) broken.push(rule);
    return { ok: false, problems: broken.map(problemAt) };
  }
  const content: PluginFileContent = Array.isArray(read.data)
    ? pluginFileSchema.parse({ plugins: read.data })
    : read.data;
  const root = isList ? [] : ['plugins'];
  broken.push(...sameNames(content, root), ...patternsRefused(content, root));
  if (broken.length > 0) return { ok: false, problems: broken.map(problemAt) };
  return {
    ok: true,
    read: {
      file,
      entries: entriesOf(content, root),
      dirs: content.plugin_dirs.map((folder) => resolve(dirname(file), folder)),
      timeoutMs: content.plugin_settings.plugin_timeout * 1000,
      notes: notesOf(content),
      problemAt,
    },
  };
}

type Written = PluginFileContent['plugins'][number];

function entriesOf(content: PluginFileContent, root: readonly PropertyKey[]): PluginEntry[] {
  const { fail_on_plugin_error: failOnPluginError } = content.plugin_settings;
  const entries = content.plugins.flatMap((written, index): PluginEntry[] => {
    const phase = phaseOf(written.mode);
    if (phase === undefined) return [];
    const hooks = written.hooks?.filter(isToolHook);
    return [
      {
        name: written.name,
        kind: written.kind,
        ...(hooks === undefined ? {} : { hooks }),
        phase,
        onError: written.on_error ?? onErrorOf(written.mode, failOnPluginError),
        priority: written.priority,
        conditions: written.conditions,
        // It came out of YAML with string keys and no anchors, which is JSON.
        config: written.config as JsonObject,
        path: [...root, index],
      },
    ];
  });
  // The sort keeps the order of the file where neither says.
  return entries.sort(
    (a, b) =>
      PLUGIN_PHASES.indexOf(a.phase) - PLUGIN_PHASES.indexOf(b.phase) || a.priority - b.priority,
  );
}

function isToolHook(hook: string): hook is PluginHook {
  return TOOL_HOOKS.some((ours) => ours === hook);
}

function sameNames({ plugins }: PluginFileContent, root: readonly PropertyKey[]): BrokenRule[] {
  const names = plugins.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (first === index) return [];
    const other = formatConfigPath([...root, first]);
    const message = `expected a name of its own, got "${name}", which ${other} has`;
    return [{ path: [...root, index, 'name'], message, isKey: false }];
  });
}

function patternsRefused(
  { plugins }: PluginFileContent,
  root: readonly PropertyKey[],
): BrokenRule[] {
  return plugins.flatMap(({ conditions }, index) =>
    conditions.flatMap(({ user_patterns: patterns = [] }, condition) =>
      patterns.flatMap((pattern, place) => {
        const problem = unsupportedPattern(pattern);
        if (problem === undefined) return [];
        const path = [...root, index, 'conditions', condition, 'user_patterns', place];
        return [{ path, message: problem, isKey: false }];
      }),
    ),
  );
}

function notesOf({ plugins, plugin_settings: settings }: PluginFileContent): string[] {
  const idle = IDLE_SETTINGS.filter((key) => settings[key] !== undefined);
  const notes = idle.map((key) => `plugin_settings.${key} does nothing here`);
  for (const plugin of plugins) if (plugin.mode !== 'disabled') notes.push(...notesOn(plugin));
  return notes;
}

function notesOn({ name, hooks = [], conditions }: Written): string[] {
  const notes = hooks
    .filter((hook) => !isToolHook(hook))
    .map((hook) => `plugin ${name}: ${hook} does nothing here, only hooks around tools do`);
  const idle = IDLE_CONDITIONS.filter((key) =>
    conditions.some((condition) => (condition[key] ?? []).length > 0),
  );
  if (idle.length > 0)
    notes.push(`plugin ${name}: ${idle.join(', ')} in conditions say nothing about tools`);
  return notes;
}
