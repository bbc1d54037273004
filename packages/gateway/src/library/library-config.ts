import { join } from 'node:path';
import type { z } from 'zod';
import { formatConfigPath, formatConfigProblem } from '../config/config-problem.ts';
import type { configSchema } from '../config/config-schema.ts';
import type { Environment } from '../config/expand-variables.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { readConfig } from '../config/load-config.ts';
import { ConfigError } from './config-error.ts';

/** What `holdfast.yaml` may say, as an object. */
export type LibraryConfig = z.input<typeof configSchema>;

/** What a configuration is read with. */
export interface ReadOptions {
  /** Where `${NAME}` in texts comes from. Default: there are no variables. */
  readonly env?: Environment | undefined;
  /** Where relative paths in it start. Default: the working directory. */
  readonly folder?: string | undefined;
}

/** The configuration that an object describes. Throws a `ConfigError` with all that is wrong with it. */
export function readLibraryConfig(
  config: LibraryConfig,
  { env = {}, folder = process.cwd() }: ReadOptions,
  mayBeIdle = false,
): GatewayConfig {
  const read = readConfig(config, { file: join(folder, 'holdfast.yaml'), env }, mayBeIdle);
  if (read.ok) return read.config;
  throw new ConfigError([
    ...read.broken.map(({ path, message }) => `${formatConfigPath(path)}: ${message}`),
    ...read.problems.map(formatConfigProblem),
  ]);
}
