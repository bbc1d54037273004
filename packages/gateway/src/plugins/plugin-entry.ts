import type { JsonObject } from '@holdfast/core';
import type { PluginHook } from './plugin.ts';
import type { OnError, PluginPhase } from './plugin-mode.ts';

/** One plugin as a file asks for it. Those that are disabled have no entry. */
export interface PluginEntry {
  readonly name: string;
  /** One of ours, or the path of a module. */
  readonly kind: string;
  /** Where it runs; undefined: wherever it has a function. */
  readonly hooks?: readonly PluginHook[];
  readonly phase: PluginPhase;
  readonly onError: OnError;
  /** Lower ones run first. */
  readonly priority: number;
  /** One of them has to fit the call; none at all fits every call. */
  readonly conditions: readonly PluginCondition[];
  readonly config: JsonObject;
  /** Where it stands in the file, for what is found wrong with it later. */
  readonly path: readonly PropertyKey[];
}

/** All that is set has to fit. */
export interface PluginCondition {
  readonly server_ids?: readonly string[];
  readonly tenant_ids?: readonly string[];
  readonly tools?: readonly string[];
  readonly user_patterns?: readonly string[];
}
