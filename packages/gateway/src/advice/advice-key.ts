import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../agents/hook/code-of.ts';
import { makePrivateFile, readPrivateFile, writeText } from '../agents/hook/private-file.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { OpenFleet } from '../fleet/open-fleet.ts';
import type { Logger } from '../log/logger.ts';

export interface AdviceKeyOptions {
  /** The fleet that shares the key. Default: none. */
  readonly shared?: Pick<OpenFleet, 'secret'> | undefined;
  /** Where the key is kept where nothing shares it. Default: nowhere. */
  readonly file?: string | undefined;
  readonly log: Logger;
}

/**
 * The key that advice is signed with: that of the configuration, else that of the fleet, else that of this machine,
 * which is made on first use.
 */
export async function openAdviceKey(
  { adviceKey }: Pick<GatewayConfig, 'adviceKey'>,
  { shared, file, log }: AdviceKeyOptions,
): Promise<string> {
  if (adviceKey !== undefined) return adviceKey;
  const own = randomBytes(32).toString('hex');
  if (shared !== undefined) {
    try {
      return await shared.secret('advice-key', own);
    } catch (error) {
      log.warn({ error }, NOT_SHARED);
    }
  }
  return file === undefined ? own : keptKey(file, own, log);
}

const NOT_SHARED =
  'the store does not share the key of signed advice: other gateways do not recognize that of this one until a restart';
const MOST_BYTES = 1024;
const KEY = /^[\da-f]{64}$/;

function keptKey(file: string, own: string, log: Logger): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makePrivateFile(file, own, writeText);
    return own;
  } catch (error) {
    const kept = codeOf(error) === 'EEXIST' ? readPrivateFile(file, MOST_BYTES) : undefined;
    if (kept !== undefined && KEY.test(kept)) return kept;
    log.warn({ error, file }, 'the key of signed advice is not kept over a restart');
    return own;
  }
}
