import { isDeepStrictEqual } from 'node:util';
import type { GatewayConfig } from './gateway-config.ts';

/** The keys that say something else in `next`. */
export function changedKeys(
  before: GatewayConfig,
  next: GatewayConfig,
): readonly (keyof GatewayConfig)[] {
  return KEYS.filter((key) => !isDeepStrictEqual(before[key], next[key]));
}

const KEYS: readonly (keyof GatewayConfig)[] = [
  'listen',
  'token',
  'upstreams',
  'mcp',
  'proxy',
  'api',
  'observe',
  'log',
  'traceDir',
  'shutdownGraceMs',
  'adviceKey',
];
