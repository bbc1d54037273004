import { computed } from '@preact/signals';
import { Resource } from './resource.ts';

interface Gateway {
  readonly name: string;
  readonly upstreams: number;
  readonly servers: number;
}

/** What the gateway is called, and what it is set up to do. */
export const gateway = new Resource<Gateway>(() => '/api/v1/gateway', {
  staleOn: ['config-loaded'],
});

/** Which parts run here; undefined until it is known. */
export const parts = computed(() => {
  const known = gateway.value.value;
  return known && { hasModels: known.upstreams > 0, hasServers: known.servers > 0 };
});
