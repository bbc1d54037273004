import { fileURLToPath } from 'node:url';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { McpServerConfig } from '../mcp/mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { MOST_TURNS } from '../observe/turn-statistics.ts';

/** Nobody waits half a minute for a demo to end. */
const SHUTDOWN_GRACE_MS = 1_000;
/** Soon enough to be seen in the first minute. */
const CONSECUTIVE_FAILURES = 3;
const OPEN_FOR_MS = 8_000;

/** A gateway as the demo has it: tools of its own, all of it shown, and nothing of it kept. */
export function demoConfig(base: GatewayConfig, halfCycleMs: number): GatewayConfig {
  const { timeoutMs, maxDurationMs, trustAnnotations, ...settings } = MCP_DEFAULTS.settings;
  const server: McpServerConfig = {
    ...MCP_DEFAULTS.server,
    name: 'demo-tools',
    timeoutMs,
    maxDurationMs,
    trustAnnotations,
    circuit: {
      ...MCP_DEFAULTS.server.circuit,
      consecutiveFailures: CONSECUTIVE_FAILURES,
      openForMs: Math.min(OPEN_FOR_MS, halfCycleMs / 2),
    },
    via: {
      kind: 'stdio',
      command: process.execPath,
      // From source it needs the loader that we run with.
      args: [...process.execArgv, toolServer(), String(halfCycleMs)],
      env: {},
    },
  };
  return {
    ...base,
    upstreams: base.upstreams.map((upstream) => ({ ...upstream, name: 'demo-model' })),
    mcp: { ...settings, prefix: 'never', servers: [server] },
    // It is all made up: there is nothing to hide, and nothing worth keeping.
    observe: {
      ...base.observe,
      capture: true,
      captureRequests: MOST_TURNS,
      reveal: true,
      history: false,
    },
    shutdownGraceMs: SHUTDOWN_GRACE_MS,
  };
}

function toolServer(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`demo-tool-server.${extension}`, import.meta.url));
}
