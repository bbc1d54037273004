import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Arguments } from './command.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';

/** Where circuits are shared, as the option or the variable says it; nothing where neither is given. */
export async function readStoreFlag(
  { values }: Arguments,
  env: Io['env'],
): Promise<Pick<GatewayConfig, 'store'>> {
  const written = values.get('store');
  const url = written ?? env['HOLDFAST_STORE'];
  if (url === undefined || (url === '' && written === undefined)) return {};
  // Not before it is needed: the schema is slow to load.
  const { isRedisUrl } = await import('../config/store-schema.ts');
  if (isRedisUrl(url)) return { store: { url, cluster: false } };
  const name = written === undefined ? 'HOLDFAST_STORE' : '--store';
  // Not what arrived: it may hold a password.
  throw new Misuse(`${name}: expected an address of Redis such as redis://127.0.0.1:6379`);
}
