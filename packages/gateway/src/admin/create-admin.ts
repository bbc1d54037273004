import { apiLimit } from '../http/body-limit.ts';
import type { RouteSet } from '../live-routes.ts';
import { LogRing } from '../log/log-ring.ts';
import type { Observation } from '../observe/observation.ts';
import type { Isolations } from '../fleet/isolations.ts';
import type { OpenFleet } from '../fleet/open-fleet.ts';
import type { AdminOperation } from './admin-operation.ts';
import { adminRoutes } from './admin-routes.ts';
import { CircuitDirectory } from './circuit-directory.ts';
import type { CircuitSource } from './circuit-directory.ts';
import { circuitOperations } from './circuit-operations.ts';
import { describeAdmin } from './describe-admin.ts';
import type { DescribedPaths } from './describe-admin.ts';
import { EventsOperation } from './events-operation.ts';
import { fleetCircuits, fleetView } from './fleet-json.ts';
import { HalfOpenWatch } from './half-open-watch.ts';
import { NO_HISTORY } from './history-operation.ts';
import { logOperation } from './log-operation.ts';
import { reasoningOperation } from './reasoning-operation.ts';
import { parseStreamOperation } from './parse-stream-operation.ts';
import { replicasOperation } from './replicas-operation.ts';
import { serverOperations } from './server-operations.ts';
import type { ServerMeans } from './server-operations.ts';
import { statusOperations } from './status-operations.ts';
import type { StatusMeans } from './status-operations.ts';
import { approveOperation } from './approve-operation.ts';
import type { ApproveTools } from './approve-operation.ts';
import { trafficOperations } from './traffic-operations.ts';

export interface AdminOptions extends StatusMeans, ServerMeans {
  readonly watched: Observation;
  /** The circuits that each part of the gateway has now. */
  readonly circuits: CircuitSource;
  /** The last lines of the log. Default: none. */
  readonly logs?: LogRing | undefined;
  /** Isolates circuits, used or not, and remembers it. */
  readonly isolations: Isolations;
  /** Loads what keeps the circuits of agents. */
  readonly openSidecar?: (() => Promise<unknown>) | undefined;
  /** Those with whom circuits are shared. Undefined where they are not. */
  readonly fleet?: OpenFleet | undefined;
  /** Approves tools of MCP servers that are held back. Default: there are none. */
  readonly approveTools?: ApproveTools;
  /** Forgets what was learned of where models begin to answer. Returns how many facts that were. */
  readonly resetReasoning?: (model?: string) => number;
  /** What is kept on disk of the past. Default: an answer that says that nothing is. */
  readonly history?: AdminOperation | undefined;
}

/** The gateway's own API, and what describes it. */
export interface Admin extends RouteSet {
  readonly described: DescribedPaths;
  /** No more requests will come. Ends the streams of events. */
  retire(): void;
}

/** The gateway's own API: how it is, what happens, and what a person can do about it. No secret is in it. */
export function createAdmin(options: AdminOptions): Admin {
  const { watched, clock, version, fleet, logs = new LogRing(), history = NO_HISTORY } = options;
  const { observer, timelines } = watched;
  const startedAt = clock.wallTime();
  const directory = new CircuitDirectory(options.circuits);
  const halfOpen = new HalfOpenWatch(observer, directory, clock);
  const events = new EventsOperation({
    observer,
    logs,
    clock,
    hello: () => ({
      version,
      started_at: new Date(startedAt).toISOString(),
      last_seq: observer.lastSeq,
    }),
  });
  const operations: readonly AdminOperation[] = [
    ...statusOperations(options),
    ...serverOperations(options),
    ...trafficOperations(watched),
    approveOperation(options.approveTools ?? (() => [])),
    ...circuitOperations(
      directory,
      { isolations: options.isolations, openSidecar: options.openSidecar },
      () => ({ timelines, ...(fleet !== undefined && { fleet: fleetCircuits(fleet.fleet) }) }),
      watched.reporter('gateway'),
    ),
    reasoningOperation(options.resetReasoning ?? (() => 0)),
    parseStreamOperation(clock),
    replicasOperation(fleetView(fleet, directory, { version, startedAt })),
    events.operation,
    logOperation(logs),
    history,
  ];
  return {
    routes: adminRoutes(operations, () => apiLimit(options.config())),
    described: describeAdmin(operations),
    retire: () => events.end(),
    close: async () => {
      events.end();
      halfOpen.close();
    },
  };
}
