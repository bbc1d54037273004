import type { Clock } from '@holdfast/core';
import type { Random } from '@holdfast/core/guard';
import type { z } from 'zod';
import type { Logger } from '../../log/logger.ts';
import type { Plugin } from '../plugin.ts';

/** What a plugin of ours is given besides its configuration; others get the first two. */
export interface PluginMeans {
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: Random;
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
