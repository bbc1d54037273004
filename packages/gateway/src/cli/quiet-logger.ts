import type { GatewayConfig } from '../config/gateway-config.ts';
import { configSecrets, Redactor } from '../redact/redactor.ts';
import { createLogger } from '../log/create-logger.ts';
import type { Logger } from '../log/logger.ts';
import type { Arguments } from './command.ts';
import type { Io } from './io.ts';
import { readLogLevel } from './read-log-level.ts';

/** For commands whose answer is what they print: only errors are logged, unless asked for more. */
export async function quietLogger(
  given: Arguments,
  config: GatewayConfig,
  io: Io,
): Promise<Logger> {
  return createLogger({
    level: readLogLevel(given, io.env) ?? 'error',
    format: io.stderr.isTerminal ? 'text' : 'json',
    redactor: new Redactor(configSecrets(config)),
  });
}
