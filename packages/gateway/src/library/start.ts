import { configSecrets, Redactor } from '../redact/redactor.ts';
import { createLogger } from '../log/create-logger.ts';
import { startGateway as start } from '../start-gateway.ts';
import type { HandlerOptions } from './create-handler.ts';
import { readLibraryConfig } from './library-config.ts';
import type { LibraryConfig } from './library-config.ts';

/** A gateway that takes requests. */
export interface RunningGateway {
  /** How this machine reaches it, without a path. */
  readonly url: string;
  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  readonly close: () => Promise<void>;
}

export type StartOptions = Pick<HandlerOptions, 'env' | 'folder' | 'logTo' | 'clock'>;

/** Starts a gateway that listens by itself. Rejects with a `ConfigError`, or with why it cannot listen. */
export async function startGateway(
  config: LibraryConfig,
  { logTo, clock, ...from }: StartOptions = {},
): Promise<RunningGateway> {
  const read = readLibraryConfig(config, from);
  const redactor = new Redactor(configSecrets(read));
  const { level } = read.log;
  const log = createLogger({ level, redactor, ...(logTo && { destination: logTo }) });
  const gateway = await start(read, {
    log,
    redactor,
    env: from.env ?? {},
    ...(clock && { clock }),
  });
  return { url: gateway.url, close: () => gateway.close() };
}
