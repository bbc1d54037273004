import type { JsonObject } from '@holdfast/core';
import { listOf, objectOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import { compareCircuits } from './circuit-row.ts';
import type { GatewayAddress } from './gateway-address.ts';

/** How a gateway is, as it tells itself. */
export interface GatewayStatus {
  readonly url: string;
  readonly status: JsonObject;
  /** Of the last quarter of an hour, without its course. */
  readonly overview: JsonObject;
  /** Those first that let nothing through. */
  readonly circuits: readonly JsonObject[];
}

export async function readStatus(
  address: GatewayAddress,
  signal?: AbortSignal,
): Promise<GatewayStatus> {
  const options = signal && { signal };
  const [status, overview, circuits] = await Promise.all([
    askGateway(address, '/api/v1/status', options),
    askGateway(address, '/api/v1/overview?minutes=15', options),
    askGateway(address, '/api/v1/circuits', options),
  ]);
  const { series: _, ...totals } = overview;
  return {
    url: address.origin,
    status,
    overview: totals,
    circuits: listOf(circuits['circuits']).map(objectOf).sort(compareCircuits),
  };
}
