import type { JsonObject } from '@holdfast/core';
import type { CircuitBreaker } from '@holdfast/core/guard';

/** A circuit as the gateway's own API tells of it. */
export function circuitStatus(circuit: CircuitBreaker): JsonObject {
  const { successes, failures, rejections } = circuit.metrics();
  return {
    name: circuit.name,
    state: circuit.state === 'half-open' ? 'half_open' : circuit.state,
    retry_after_seconds: circuit.metadata().circuit_retry_after_seconds,
    successes,
    failures,
    rejections,
  };
}
