import type { JsonObject } from '@holdfast/core';
import type { CircuitFleet, ReplicaRecord } from '@holdfast/core/guard';
import type { CircuitOwner } from '../fleet/isolations.ts';
import type { OpenFleet } from '../fleet/open-fleet.ts';
import type { CircuitDirectory } from './circuit-directory.ts';
import { stateWord } from './circuit-json.ts';
import type { FleetCircuitView } from './circuit-json.ts';
import type { FleetView } from './replicas-operation.ts';

/** How the fleet sees each circuit that it shares, as of now. */
export function fleetCircuits(fleet: Pick<CircuitFleet, 'status'>): FleetCircuitView {
  const { circuits } = fleet.status();
  const byName = new Map(circuits.map(({ name, shared }) => [partlyNamed(name), shared]));
  return (of, name) => {
    const shared = NAMESPACES[of]
      .map((namespace) => byName.get(`${namespace}:${name}`))
      .find((each) => each !== undefined);
    if (shared === undefined) return undefined;
    const { state, version, replica = null, calls, failures } = shared;
    return { state: stateWord(state), version, replica, calls, failures };
  };
}

/** What stands before the names of each part in the fleet. Plugins have circuits in place of those of MCP too. */
const NAMESPACES: Readonly<Record<CircuitOwner, readonly string[]>> = {
  proxy: ['model'],
  mcp: ['mcp', 'plugin'],
  sidecar: ['plugin'],
};

/** A name in the fleet, without which plugin it is of. */
function partlyNamed(name: string): string {
  return name.replace(/^plugin:[^:]*:/, 'plugin:');
}

/** The replicas of the fleet; those of a gateway that is alone are itself. */
export function fleetView(
  shared: OpenFleet | undefined,
  directory: CircuitDirectory,
  { version, startedAt }: { readonly version: string; readonly startedAt: number },
): FleetView {
  const alone = (id: string): JsonObject => {
    const circuits = directory.list().map(({ circuit }) => circuit);
    const metrics = circuits.map((circuit) => circuit.metrics());
    return replicaJson(
      {
        id,
        startedAt,
        notClosed: circuits.filter(({ state }) => state !== 'closed').map(({ name }) => name),
        circuits: circuits.length,
        calls: sum(metrics.map(({ totalCalls }) => totalCalls)),
        failures: sum(metrics.map(({ failures }) => failures)),
        version,
      },
      true,
    );
  };
  return async () => {
    if (shared === undefined) return { store: null, replicas: [alone('self')] };
    const { replica, isDegraded, reason = null } = shared.fleet.status();
    const store = { kind: 'redis', is_degraded: isDegraded, reason };
    // Nobody is kept waiting for what is known to be away.
    if (isDegraded) return { store, replicas: [alone(replica)] };
    try {
      const records = await shared.replicas();
      return {
        store,
        replicas: records.map((record) => replicaJson(record, record.id === replica)),
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it does not answer';
      return {
        store: { ...store, is_degraded: true, reason: reason ?? why },
        replicas: [alone(replica)],
      };
    }
  };
}

function replicaJson(record: ReplicaRecord, isSelf: boolean): JsonObject {
  const { id, startedAt, notClosed, circuits, calls, failures, version } = record;
  return {
    id,
    is_self: isSelf,
    version,
    started_at: new Date(startedAt).toISOString(),
    circuits,
    calls,
    failures,
    not_closed: notClosed.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
