import type { CircuitOptions } from '@holdfast/core/guard';
import type { AdvisorSettings } from '../config/advisor-schema.ts';
import type { UpstreamCircuitConfig } from '../config/gateway-config.ts';

/** How names of tools and prompts show which server they belong to: only where there are several, always, or never. */
export type PrefixMode = 'auto' | 'always' | 'never';

/** A server that is started as a process and spoken to over its standard input and output. */
export interface StdioServerConfig {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: a few variables of ours that every program needs, and those it was given. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is reached over HTTP: Streamable HTTP, or the older one with two endpoints. */
export interface HttpServerConfig {
  readonly kind: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Which classes of failures count against a tool, where that differs from the rule of the class. */
export type CircuitCounts = NonNullable<CircuitOptions['counts']>;

/** When a tool of a server is left alone for a while. */
export interface McpCircuitConfig extends UpstreamCircuitConfig {
  readonly counts: CircuitCounts;
  /** Those of single tools, by the server's own names, over `counts`. */
  readonly toolCounts: Readonly<Record<string, CircuitCounts>>;
}

/** One MCP server behind the gateway. */
export interface McpServerConfig {
  /** Unique; what its tools are prefixed with. */
  readonly name: string;
  readonly via: StdioServerConfig | HttpServerConfig;
  /** How long a tool may be silent; progress counts as life. */
  readonly timeoutMs: number;
  /** Those of single tools, by the server's own names. */
  readonly toolTimeoutsMs: Readonly<Record<string, number>>;
  /** How long a call may take in all, however much progress there is. */
  readonly maxDurationMs: number;
  /** Which of its tools are shown, by the server's own names, `*` standing for any characters. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Whether `readOnlyHint` and `idempotentHint` are believed, so that such tools are retried. */
  readonly trustAnnotations: boolean;
  /** Tools that may be retried whatever they say of themselves. */
  readonly idempotentTools: readonly string[];
  /** One connection for all clients, or one for each. */
  readonly instances: 'shared' | 'per-client';
  readonly circuit: McpCircuitConfig;
}

/** The MCP side of the gateway. */
export interface McpConfig {
  /** In the order in which their tools are listed. Those that are disabled are not here. */
  readonly servers: readonly McpServerConfig[];
  readonly prefix: PrefixMode;
  /** Between the name of a server and that of its tool. */
  readonly separator: string;
  /** How long a list waits for a slow server before its last good copy is used. */
  readonly listTimeoutMs: number;
  /** How long a server may take to start and answer. */
  readonly connectTimeoutMs: number;
  /** A message of a server that is longer is not read. */
  readonly maxMessageBytes: number;
  /** Results that are longer are cut, with a note. */
  readonly maxResultBytes: number;
  /** Whether arguments are held against schemas before a call. */
  readonly check: boolean;
  readonly advice: boolean;
  /** When there is advice, and what it says. Default: as the library does. */
  readonly advisor?: AdvisorSettings;
  /** What becomes of a tool that is no longer what it was when it was seen first: held back, or only logged. */
  readonly redefinedTools: 'quarantine' | 'log';
  /** The file in which it is kept what tools are, across restarts. */
  readonly pinFile?: string;
  /** The file that says which plugins run around calls. */
  readonly pluginFile?: string;
}
