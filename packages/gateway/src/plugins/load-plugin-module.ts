import type { Clock, JsonObject } from '@holdfast/core';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../log/logger.ts';
import { kindOf } from '../proxy/json/kind-of.ts';
import type { Plugin } from './plugin.ts';

/** Changes with the file, so that a module that was changed is loaded anew. */
export function moduleVersion(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs}-${size}`;
}

/** The plugin that a module exports, or makes. Throws what the module throws, or a `TypeError` that says what is missing. */
export async function loadPluginModule(
  file: string,
  config: JsonObject,
  means: { readonly log: Logger; readonly clock: Clock },
): Promise<Plugin> {
  const url = pathToFileURL(file);
  url.searchParams.set('v', moduleVersion(file));
  const module = (await import(url.href)) as { readonly default?: unknown };
  const { default: exported } = module;
  const made = isFactory(exported) ? await exported(config, means) : exported;
  if (!isPlugin(made)) {
    const what = isFactory(exported) ? 'what its default export returns' : 'its default export';
    throw new TypeError(
      `expected ${what} to be an object with tool_pre_invoke or tool_post_invoke, got ${kindOf(made)}` +
        (isRecord(made) ? ' without either' : ''),
    );
  }
  return made;
}

type Factory = (config: JsonObject, means: { log: Logger; clock: Clock }) => unknown;

function isFactory(value: unknown): value is Factory {
  return typeof value === 'function';
}

const HOOKS = ['tool_pre_invoke', 'tool_post_invoke'] as const;

function isPlugin(value: unknown): value is Plugin {
  if (!isRecord(value)) return false;
  const functions = [...HOOKS, 'tool_abandoned', 'shutdown'].map((name) => value[name]);
  const areRight = functions.every((each) => each === undefined || typeof each === 'function');
  return areRight && HOOKS.some((hook) => value[hook] !== undefined);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
