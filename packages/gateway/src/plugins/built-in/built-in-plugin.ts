import type { Clock } from '@holdfast/core';
import type { CircuitFleet, Random } from '@holdfast/core/guard';
import type { z } from 'zod';
import type { EnlistCircuits } from '../../fleet/isolations.ts';
import type { Logger } from '../../log/logger.ts';
import type { Plugin } from '../plugin.ts';
import type { PluginEventListener } from '../plugin-event.ts';

/** What a plugin of ours is given besides its configuration; others get the first two. */
export interface PluginMeans {
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: Random;
  readonly onEvent?: PluginEventListener;
  /** Shares circuits with other gateways, under a name of the plugin's own. */
  readonly fleet?: PluginFleet;
  /** Lets a person isolate circuits that were not used yet. */
  readonly enlist?: EnlistCircuits | undefined;
}

/** What the circuits of one plugin are shared by. */
export interface PluginFleet {
  readonly fleet: CircuitFleet;
  readonly namespace: string;
}

/** A plugin that comes with the gateway. */
export interface BuiltInPlugin {
  /** What its `config` may say. */
  readonly schema: z.ZodType;
  readonly keepsCircuits: boolean;
  /** Of a configuration that fits the schema. */
  make(config: unknown, means: PluginMeans): Plugin;
}

/** Joins a schema and what makes a plugin of what it lets through. */
export function builtIn<Schema extends z.ZodType>(
  schema: Schema,
  create: (config: z.output<Schema>, means: PluginMeans) => Plugin,
  keepsCircuits = false,
): BuiltInPlugin {
  return { schema, keepsCircuits, make: (config, means) => create(schema.parse(config), means) };
}
