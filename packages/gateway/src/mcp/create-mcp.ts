import { randomUUID } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import type { CircuitBreaker } from '@holdfast/core/guard';
import { circuitStatus } from '../circuit-status.ts';
import type { Logger } from '../log/logger.ts';
import type { PluginHost } from '../plugins/plugin-run.ts';
import { ToolCaller } from './call/tool-caller.ts';
import type { OfferedTool } from './hub/catalog.ts';
import { McpHub } from './hub/mcp-hub.ts';
import type { McpConfig } from './mcp-config.ts';
import type { ClientIdentity } from './upstream/connection.ts';
import { createTransport } from './upstream/create-transport.ts';

export interface CreateMcpOptions {
  readonly config: McpConfig;
  readonly plugins: PluginHost;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is behind an endpoint: the servers, and what their tools are called with. */
export interface Mcp {
  readonly createHub: (identity: ClientIdentity, prefer?: 'legacy') => McpHub;
  /** Circuits and counts, without secrets. */
  status(): JsonObject;
}

/** The circuits and counts of tools, and hubs that call them. */
export function createMcp({ config, plugins, clock, log }: CreateMcpOptions): Mcp {
  const caller = new ToolCaller({ config, plugins, clock, log });
  const hubs = new Set<McpHub>();
  return {
    createHub: (identity, prefer) => {
      const hub = new McpHub({
        config,
        identity,
        prefer,
        caller,
        createTransport,
        clock,
        nextId: randomUUID,
        log,
      });
      hubs.add(hub);
      return hub;
    },
    status: () => {
      const tools = [...hubs].flatMap(({ catalog }) =>
        catalog.offered.map((tool) => ({ ...tool, circuit: circuitOf(tool) })),
      );
      const ofTools = new Map(tools.map(({ circuit }) => [circuit.name, circuit]));
      return {
        // Put together by entries: one server may be called __proto__.
        servers: Object.fromEntries(
          [...hubs].flatMap(({ status }) =>
            Object.entries(status).map(([name, about]) => [name, { ...about }]),
          ),
        ),
        circuits: caller.circuits
          .list()
          .map((circuit) => circuitStatus(ofTools.get(circuit.name) ?? circuit)),
        tools: tools.map((tool) => ({ ...tool, circuit: stateOf(tool.circuit) })),
        counts: caller.counts.map((counts) => ({ ...counts })),
      };
    },
  };

  /** Where a plugin guards the tool, its circuit says whether calls are let through, and not ours. */
  function circuitOf({ tool, server }: OfferedTool): CircuitBreaker {
    const [own] = caller.circuits.forTool(tool, { server });
    return plugins.circuitOf?.(tool, server) ?? own;
  }
}

function stateOf({ state }: CircuitBreaker): string {
  return state === 'half-open' ? 'half_open' : state;
}
