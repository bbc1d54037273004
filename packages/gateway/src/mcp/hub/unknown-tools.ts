import { didYouMean } from '../../cli/nearest.ts';
import type { Logger } from '../../log/logger.ts';
import type { PluginOverrides } from '../../plugins/plugin-run.ts';
import type { McpServerConfig } from '../mcp-config.ts';

/** A server, and the tools that it lists; none where it has listed nothing yet. */
export interface ListedServer {
  readonly config: McpServerConfig;
  readonly tools: readonly string[];
}

/**
 * Warns of tools that a configuration names and no server lists, once each: what is set for a misspelt name protects
 * nothing. Names are known only once servers have listed their tools, which is too late for an error.
 */
export class UnknownTools {
  readonly #log: Logger;
  readonly #warned = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  check(servers: readonly ListedServer[], overrides: readonly PluginOverrides[]): void {
    const listed = servers.filter(({ tools }) => tools.length > 0);
    for (const { config, tools } of listed) {
      const { name, toolTimeoutsMs, idempotentTools, circuit } = config;
      const where = `of the server ${name}`;
      this.#warn(`toolTimeouts ${where}`, Object.keys(toolTimeoutsMs), tools);
      this.#warn(`idempotentTools ${where}`, idempotentTools, tools);
      this.#warn(`circuit.toolCounts ${where}`, Object.keys(circuit.toolCounts), tools);
    }
    // A plugin may mean a tool of any server.
    if (listed.length < servers.length) return;
    const all = listed.flatMap(({ tools }) => tools);
    for (const { plugin, tools } of overrides) {
      this.#warn(`tool_overrides of the plugin ${plugin}`, tools, all);
    }
  }

  #warn(place: string, names: readonly string[], tools: readonly string[]): void {
    for (const tool of names) {
      const warning = `${place} names the tool ${tool}, which is not listed${didYouMean(tool, tools)}`;
      if (tools.includes(tool) || this.#warned.has(warning)) continue;
      this.#warned.add(warning);
      this.#log.warn({ tool }, warning);
    }
  }
}
