import type { McpServerConfig } from './mcp-config.ts';

/** A server with the settings of most. */
export function serverConfig(name: string, more: Partial<McpServerConfig> = {}): McpServerConfig {
  return {
    name,
    via: { kind: 'stdio', command: name, args: [], env: {} },
    timeoutMs: 5000,
    toolTimeoutsMs: {},
    maxDurationMs: 20_000,
    allow: ['*'],
    deny: [],
    trustAnnotations: true,
    idempotentTools: [],
    instances: 'shared',
    circuit: {
      consecutiveFailures: 5,
      failureRatio: 0.5,
      minCalls: 10,
      windowMs: 60_000,
      openForMs: 60_000,
      scope: 'fleet',
      onStoreLoss: 'local',
      counts: {},
      toolCounts: {},
    },
    ...more,
  };
}
