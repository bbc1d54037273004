import { randomUUID } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import type { CircuitBreaker, CircuitFleet } from '@holdfast/core/guard';
import { circuitStatus } from '../circuit-status.ts';
import type { AdviceSigner } from '../advice/advice-signer.ts';
import type { EnlistCircuits } from '../fleet/isolations.ts';
import type { Logger } from '../log/logger.ts';
import type { CallEnded } from '../observe/gateway-event.ts';
import type { Reporter } from '../observe/reporter.ts';
import { UNLISTED_TOOL } from '../observe/unlisted-tool.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { ToolCaller } from './call/tool-caller.ts';
import type { OfferedTool } from './hub/catalog.ts';
import { McpHub } from './hub/mcp-hub.ts';
import type { McpConfig } from './mcp-config.ts';
import type { UpstreamStatus } from './upstream/upstream-server.ts';
import type { ClientIdentity } from './upstream/connection.ts';
import { createTransport } from './upstream/create-transport.ts';
import { openPins } from './naming/open-pins.ts';
import type { ToolPins } from './naming/tool-pins.ts';

export interface CreateMcpOptions {
  readonly config: McpConfig;
  readonly plugins: PluginHost;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told what happens, for those who watch. Default: nobody. */
  readonly report?: Reporter;
  /** What tools were when they were seen first. Default: what the file of the configuration says, if it names one. */
  readonly pins?: ToolPins | undefined;
  /** Shares circuits with other gateways. Default: nobody. */
  readonly fleet?: CircuitFleet | undefined;
  /** Lets a person isolate circuits that were not used yet. Default: nobody. */
  readonly enlist?: EnlistCircuits | undefined;
  /** Signs advice. Default: it is not signed. */
  readonly signer?: AdviceSigner | undefined;
  /** Told of what is asked and answered. Default: nobody. */
  readonly telemetry?: Telemetry | undefined;
}

/** What is behind an endpoint: the servers, and what their tools are called with. */
export interface Mcp {
  readonly createHub: (identity: ClientIdentity, prefer?: 'legacy') => McpHub;
  /** What tools of a server have turned into is what they are from now on. Returns their names. */
  approve(server: string, tool?: string): readonly string[];
  /** Reconnects a server. Returns false for an unknown name; a failure is in its status. */
  reconnect(server: string): Promise<boolean>;
  /** How each server is, by its name, without secrets. */
  servers(): JsonObject;
  /** Circuits and counts, without secrets. */
  status(): JsonObject;
  /** No more calls will come. */
  close(): void;
  /** All circuits: of tools and servers, and those of plugins in place of ours. */
  circuits(): readonly CircuitBreaker[];
}

/** The circuits and counts of tools, and hubs that call them. */
export function createMcp(options: CreateMcpOptions): Mcp {
  const { config, plugins, clock, log, report, telemetry, fleet } = options;
  const caller = new ToolCaller({
    config,
    plugins,
    clock,
    log,
    fleet,
    enlist: options.enlist,
    signer: options.signer,
    ...(report !== undefined && {
      onEvent: (event) => report.tell(event),
      onEnded: (event, circuits) => tellEnd(event, circuits, report),
    }),
  });
  const hubs = new Set<McpHub>();
  const { pins = openPins(config.pinFile, log) } = options;
  return {
    createHub: (identity, prefer) => {
      const hub = new McpHub({
        config,
        identity,
        prefer,
        caller,
        createTransport: (server, to) => createTransport(server, to, config.maxMessageBytes),
        clock,
        nextId: randomUUID,
        log,
        telemetry,
        pins,
        overrides: () => plugins.overrides?.() ?? [],
        ...(report !== undefined && {
          onRedefined: (event) => report.emit(event),
          onServer: ({ reason, ...event }) =>
            report.emit({ ...event, reason: reason === undefined ? reason : report.line(reason) }),
        }),
      });
      hubs.add(hub);
      return hub;
    },
    approve: (server, tool) => {
      const approved = pins.approve(server, tool);
      if (approved.length > 0) for (const hub of hubs) hub.toolsApproved();
      return approved;
    },
    reconnect: async (name) => {
      const servers = [...hubs].flatMap((hub) => hub.server(name) ?? []);
      await Promise.all(servers.map((server) => server.reconnect().catch(() => undefined)));
      return servers.length > 0;
    },
    servers: serversJson,
    status: () => {
      const tools = [...hubs].flatMap(({ catalog }) =>
        catalog.offered.map((tool) => ({ ...tool, circuit: circuitOf(tool) })),
      );
      const ofTools = new Map(tools.map(({ circuit }) => [circuit.name, circuit]));
      return {
        servers: serversJson(),
        circuits: caller.circuits
          .list()
          .map((circuit) => circuitStatus(ofTools.get(circuit.name) ?? circuit)),
        tools: tools.map((tool) => ({ ...tool, circuit: stateOf(tool.circuit) })),
        counts: caller.counts.map((counts) => ({ ...counts })),
      };
    },
    close: () => caller.close(),
    circuits: () => {
      const all = [...caller.circuits.list(), ...(plugins.circuits?.() ?? [])];
      // Of the same name, a plugin's comes last and is the one that counts.
      return [...new Map(all.map((circuit) => [circuit.name, circuit])).values()];
    },
  };

  function serversJson(): JsonObject {
    // Put together by entries: one server may be called __proto__.
    return Object.fromEntries(
      [...hubs].flatMap(({ status, catalog }) =>
        Object.entries(status).map(([name, about]) => {
          const tools = catalog.offered.filter(({ server }) => server === name).length;
          return [name, { ...withoutSecrets(about), tools }];
        }),
      ),
    );
  }

  /** Servers may quote what they were given in their last words. */
  function withoutSecrets(about: UpstreamStatus): JsonObject {
    const { reason, last_error: last, ...rest } = about;
    const line = (text: string): string => report?.line(text) ?? text;
    return {
      ...rest,
      ...(reason !== undefined && { reason: line(reason) }),
      ...(last !== undefined && { last_error: { ...last, message: line(last.message) } }),
    };
  }

  function tellEnd(event: CallEnded, circuits: readonly CircuitBreaker[], to: Reporter): void {
    const { tool, server = '' } = event;
    const ofPlugin = tool === UNLISTED_TOOL ? undefined : plugins.circuitOf?.(tool, server);
    if (ofPlugin !== undefined) to.settled(ofPlugin);
    for (const circuit of circuits) to.settled(circuit);
    to.ended(event);
  }

  /** Where a plugin guards the tool, its circuit says whether calls are let through, and not ours. */
  function circuitOf({ tool, server }: OfferedTool): CircuitBreaker {
    const [own] = caller.circuits.forTool(tool, { server });
    return plugins.circuitOf?.(tool, server) ?? own;
  }
}

function stateOf({ state }: CircuitBreaker): string {
  return state === 'half-open' ? 'half_open' : state;
}
