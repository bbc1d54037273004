import type { McpConfig, McpServerConfig } from './mcp-config.ts';

/** What holds for all servers of a configuration where one of them does not say it itself. */
export type McpServerSettings = Pick<
  McpServerConfig,
  'timeoutMs' | 'maxDurationMs' | 'trustAnnotations'
>;

/** The MCP side of the gateway without its servers. */
export interface McpSettings
  extends Omit<McpConfig, 'servers' | 'pluginFile' | 'pinFile' | 'advisor'>, McpServerSettings {}

/** What holds where nothing is said. The tables in the docs are tested against it. */
export const MCP_DEFAULTS: McpDefaults = Object.freeze({
  settings: Object.freeze({
    prefix: 'auto',
    separator: '__',
    listTimeoutMs: 5000,
    // A server that is started by npx may have to be downloaded first.
    connectTimeoutMs: 30_000,
    timeoutMs: 60_000,
    maxDurationMs: 600_000,
    maxMessageBytes: 10_485_760,
    maxResultBytes: 1_000_000,
    check: true,
    advice: true,
    trustAnnotations: true,
    redefinedTools: 'quarantine',
  }),
  server: Object.freeze({
    toolTimeoutsMs: Object.freeze({}),
    allow: Object.freeze(['*']),
    deny: Object.freeze([]),
    idempotentTools: Object.freeze([]),
    instances: 'shared',
    circuit: Object.freeze({
      consecutiveFailures: 5,
      failureRatio: 0.5,
      minCalls: 10,
      windowMs: 60_000,
      openForMs: 60_000,
      scope: 'fleet',
      onStoreLoss: 'local',
      counts: Object.freeze({}),
      toolCounts: Object.freeze({}),
    }),
  }),
});

export interface McpDefaults {
  readonly settings: McpSettings;
  /** Of each server. */
  readonly server: Omit<McpServerConfig, 'name' | 'via' | keyof McpServerSettings>;
}
