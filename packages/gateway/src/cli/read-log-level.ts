import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Arguments } from './command.ts';
import type { Io } from './io.ts';
import { checkChoice, readChoice } from './read-choice.ts';

type Level = GatewayConfig['log']['level'];

const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** What `--log` says, else what `HOLDFAST_LOG` says; undefined when neither does. */
export function readLogLevel(given: Arguments, env: Io['env']): Level | undefined {
  const named = readChoice(given, 'log', LEVELS);
  const variable = env['HOLDFAST_LOG'];
  if (named !== undefined || variable === undefined || variable === '') return named;
  return checkChoice('HOLDFAST_LOG', variable, LEVELS);
}
