export { CircuitStoreError } from '../../../errors.ts';
export { REDIS_STORE_DEFAULTS, RedisCircuitStore } from './redis-circuit-store.ts';
export type { RedisCircuitStoreOptions } from './redis-circuit-store.ts';
export type {
  IoRedisClient,
  IoRedisSubscriber,
  NodeRedisClient,
  NodeRedisScriptOptions,
  NodeRedisSubscriber,
  RedisClient,
} from './redis-client.ts';
