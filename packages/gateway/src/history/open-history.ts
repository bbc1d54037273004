import { join } from 'node:path';
import type { Clock } from '@holdfast/core';
import { stateFolder } from '../agents/hook/state-folder.ts';
import type { Environment } from '../config/expand-variables.ts';
import type { ObserveConfig } from '../config/gateway-config.ts';
import type { Logger } from '../log/logger.ts';
import { History } from './history.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface OpenHistoryOptions {
  /** Where it is kept, unless the configuration says where. */
  readonly folder: string | undefined;
  readonly gateway: () => string;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The history that a configuration asks for; undefined where it asks for none, or nobody says where. */
export function openHistory(
  observe: ObserveConfig,
  { folder, gateway, log, clock }: OpenHistoryOptions,
): History | undefined {
  const { history, historyDir = folder, historyMaxBytes: maxBytes, historyMaxAgeDays } = observe;
  if (!history || historyDir === undefined) return undefined;
  const bounds = { maxBytes, maxAgeMs: historyMaxAgeDays * DAY_MS };
  return new History({ folder: historyDir, gateway, log, clock, bounds });
}

/** Where history belongs on this system. Undefined where the user has no place for it, which is logged. */
export function usualHistoryFolder(env: Environment, log: Logger): string | undefined {
  try {
    return join(stateFolder(env, process.platform), 'history');
  } catch (error) {
    log.warn(
      { error },
      'no history is kept, as there is no place for it; observe.historyDir names one',
    );
    return undefined;
  }
}
