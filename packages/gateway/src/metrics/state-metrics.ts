import type { CircuitState } from '@holdfast/core/guard';
import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { Labels } from './metric-family.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** A circuit, and which part of the gateway it is of. */
export interface CircuitReading {
  readonly source: string;
  readonly name: string;
  readonly state: CircuitState;
}

/** An MCP server as it is now. */
export interface ServerReading {
  readonly server: string;
  readonly isConnected: boolean;
  /** Times it was connected to anew. */
  readonly reconnects: number;
  /** Unrequested messages over the limit. */
  readonly droppedMessages: number;
  readonly runningRequests: number;
}

/** What is known of circuits that are shared by several replicas. */
export interface FleetReading {
  /** Whether the store cannot be reached, so that each replica goes by itself. */
  readonly isDegraded: boolean;
  /** Those that were heard of lately, this one among them. */
  readonly replicas: number;
  /** The state of each circuit for all replicas, as far as the store has told it. */
  readonly circuits: readonly { readonly name: string; readonly state: CircuitState }[];
}

/** How a gateway is at one moment. */
export interface GatewayState {
  readonly circuits: readonly CircuitReading[];
  readonly servers: readonly ServerReading[];
  /** The tools that MCP servers list. */
  readonly tools: readonly string[];
  /** Undefined where circuits are not shared. */
  readonly fleet?: FleetReading | undefined;
}

/** How bad a state is. */
const STATES: Readonly<Record<CircuitState, number>> = { closed: 0, 'half-open': 1, open: 2 };

/** How circuits, MCP servers and the store are. `now` tells it as it is at the scrape that is under way. */
export function stateMetrics(
  registry: MetricRegistry,
  now: () => GatewayState,
): (observed: ObservedEvent) => void {
  registry.reading(
    {
      name: 'holdfast_circuit_state',
      help: 'State of a circuit: 0 closed, 1 half-open, 2 open. The worst of those that are told as other.',
      labels: ['source', 'circuit'],
    },
    { type: 'gauge', fold: 'max', read: () => states(now().circuits) },
  );
  registry.reading(
    { name: 'holdfast_circuits', help: 'Circuits by state.', labels: ['source', 'state'] },
    { type: 'gauge', read: () => byState(now().circuits) },
  );
  const onServer = (
    name: string,
    help: string,
    type: 'gauge' | 'counter',
    value: (server: ServerReading) => number,
    fold: 'sum' | 'max' = 'sum',
  ): void => {
    registry.reading(
      { name, help, labels: ['server'] },
      {
        type,
        fold,
        read: () =>
          now().servers.map((server) => [{ server: server.server }, value(server)] as const),
      },
    );
  };
  onServer(
    'holdfast_mcp_server_up',
    'Whether an MCP server is connected: 1, or 0.',
    'gauge',
    ({ isConnected }) => (isConnected ? 1 : 0),
  );
  onServer(
    'holdfast_mcp_server_reconnects_total',
    'Times an MCP server was connected to anew.',
    'counter',
    ({ reconnects }) => reconnects,
  );
  onServer(
    'holdfast_mcp_messages_dropped_total',
    'Messages of an MCP server that were dropped because it sent more than it may.',
    'counter',
    ({ droppedMessages }) => droppedMessages,
  );
  onServer(
    'holdfast_mcp_requests_in_flight',
    'Requests that an MCP server has not answered yet.',
    'gauge',
    ({ runningRequests }) => runningRequests,
  );
  const whereShared = (read: (fleet: FleetReading) => number) => (): [Labels<string>, number][] => {
    const { fleet } = now();
    return fleet === undefined ? [] : [[{}, read(fleet)]];
  };
  registry.reading(
    {
      name: 'holdfast_store_degraded',
      help: 'Whether the store of shared circuits cannot be reached: 1, or 0. Nothing where circuits are not shared.',
    },
    { type: 'gauge', read: whereShared(({ isDegraded }) => (isDegraded ? 1 : 0)) },
  );
  registry.reading(
    { name: 'holdfast_replicas', help: 'Replicas that share circuits, this one among them.' },
    { type: 'gauge', read: whereShared(({ replicas }) => replicas) },
  );
  registry.reading(
    {
      name: 'holdfast_fleet_circuit_state',
      help: 'State of a circuit for all replicas that share it: 0 closed, 1 half-open, 2 open.',
      labels: ['circuit'],
    },
    {
      type: 'gauge',
      fold: 'max',
      read: () =>
        (now().fleet?.circuits ?? []).map(
          ({ name, state }) => [{ circuit: name }, STATES[state]] as const,
        ),
    },
  );
  const losses = registry.counter({
    name: 'holdfast_store_losses_total',
    help: 'Times the store of shared circuits was lost.',
  });
  return ({ event }) => {
    if (event.type === 'store-degraded') losses.add({});
  };
}

function* states(
  circuits: Iterable<CircuitReading>,
): Iterable<readonly [Labels<'source' | 'circuit'>, number]> {
  for (const { source, name, state } of circuits)
    yield [{ source, circuit: name }, STATES[state]] as const;
}

function* byState(
  circuits: Iterable<CircuitReading>,
): Iterable<readonly [Labels<'source' | 'state'>, number]> {
  for (const { source, state } of circuits)
    yield [{ source, state: state === 'half-open' ? 'half_open' : state }, 1] as const;
}
