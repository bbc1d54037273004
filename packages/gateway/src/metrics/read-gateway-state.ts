import type { JsonObject } from '@holdfast/core';
import type { CircuitBreaker, CircuitFleet, FleetStatus } from '@holdfast/core/guard';
import type { EventSource } from '../observe/gateway-event.ts';
import { countOf, listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import type { CircuitReading, FleetReading, GatewayState } from './state-metrics.ts';

/** The parts of a gateway that are asked how they are. */
export interface GatewayParts {
  /** The circuits that each part has now. */
  readonly circuits: () => Iterable<readonly [EventSource, readonly CircuitBreaker[]]>;
  /** What the MCP side tells of itself in the status of the gateway. */
  readonly mcp: () => JsonObject;
  /** Those with whom circuits are shared. Undefined where they are not. */
  readonly fleet: Pick<CircuitFleet, 'status'> | undefined;
}

/** How a gateway is now, as metrics tell it. */
export function readGatewayState({ circuits, mcp, fleet }: GatewayParts): GatewayState {
  const { servers, tools } = mcp();
  return {
    circuits: [...circuits()].flatMap(([source, list]) =>
      list.map(({ name, state }): CircuitReading => ({ source, name, state })),
    ),
    servers: Object.entries(objectOf(servers)).map(([server, status]) => {
      const about = objectOf(status);
      return {
        server,
        isConnected: about['state'] === 'connected',
        reconnects: countOf(about['reconnects']) ?? 0,
        droppedMessages: countOf(about['dropped_messages']) ?? 0,
        runningRequests: countOf(about['running_requests']) ?? 0,
      };
    }),
    // By the names that their servers know and by those that clients do.
    tools: listOf(tools).flatMap((listed) => {
      const { tool, name } = objectOf(listed);
      return [textOf(tool), textOf(name)];
    }),
    fleet: fleet && readFleet(fleet.status()),
  };
}

function readFleet({ isDegraded, replicas, circuits }: FleetStatus): FleetReading {
  return {
    isDegraded,
    replicas,
    circuits: circuits.flatMap(({ name, shared }) =>
      shared === undefined ? [] : [{ name, state: shared.state }],
    ),
  };
}
