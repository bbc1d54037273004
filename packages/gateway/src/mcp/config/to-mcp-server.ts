import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { didYouMean } from '../../cli/nearest.ts';
import type { Environment } from '../../config/expand-variables.ts';
import type { McpServerEntry } from '../../config/mcp-server-schema.ts';
import { unknownKeyMessage } from '../../config/read-issue.ts';
import type { BrokenRule } from '../../config/read-issue.ts';
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from '../mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import type { McpServerSettings } from '../mcp-defaults.ts';
import { childEnvironment } from './child-environment.ts';
import { CLIENT_KEYS, KNOWN_KEYS } from './server-keys.ts';

/** What an entry is read with. */
export interface ServerContext {
  readonly env: Environment;
  /** Relative paths start here. */
  readonly folder: string;
  /** What holds where the entry does not say it. */
  readonly settings: McpServerSettings;
  /** Throws where it cannot. */
  readonly readFile: (path: string) => string;
  /** Whether the entry is of our own file, where no client adds keys. */
  readonly isOurs?: boolean;
  /** Default: this one. */
  readonly platform?: string;
}

/** A server, with what is worth knowing about it, or what is wrong with its entry. */
export interface ReadServer {
  readonly server?: McpServerConfig;
  readonly broken: readonly BrokenRule[];
  readonly notes: readonly string[];
}

/** An entry that passed the schema, as the rest of the gateway uses it. `name` is safe already. */
export function toMcpServer(
  name: string,
  entry: McpServerEntry,
  context: ServerContext,
): ReadServer {
  const notes: string[] = [];
  const broken: BrokenRule[] = [];
  const via = viaOf(entry, context, broken);
  if (typeof via === 'string') {
    broken.push({ path: [], message: `expected ${via}`, isKey: false });
  }
  const readTime = (key: string, written: number | undefined): number | undefined => {
    if (written === undefined || written >= 1000) return written && Math.round(written);
    notes.push(`${key}: ${written} is read as seconds; from 1000 up it would be milliseconds`);
    return Math.ceil(written * 1000);
  };
  const timeoutMs = readTime('timeout', entry.timeout) ?? context.settings.timeoutMs;
  const toolTimeouts = Object.entries(entry.toolTimeouts ?? {}).map(
    ([tool, written]) => [tool, readTime(`toolTimeouts.${tool}`, written) ?? timeoutMs] as const,
  );
  const longest = Math.max(timeoutMs, ...toolTimeouts.map(([, ms]) => ms));
  for (const key of Object.keys(entry)) {
    if (KNOWN_KEYS.has(key) || CLIENT_KEYS.has(key)) continue;
    const near = didYouMean(key, [...KNOWN_KEYS]);
    if (context.isOurs !== true) notes.push(`${key} is not used here${near}`);
    else
      broken.push({ path: [key], message: unknownKeyMessage(key, [...KNOWN_KEYS]), isKey: true });
  }
  if (typeof via === 'string') return { broken, notes };
  const { server: defaults } = MCP_DEFAULTS;
  const allow = [...(entry.tools?.allow ?? []), ...(entry.allowedTools ?? [])];
  const says = entry.tools?.allow !== undefined || entry.allowedTools !== undefined;
  const server = {
    name,
    via,
    timeoutMs,
    toolTimeoutsMs: Object.fromEntries(toolTimeouts),
    // A tool that was given ten minutes is not cut off after five because of a default.
    maxDurationMs:
      readTime('maxDuration', entry.maxDuration) ??
      Math.max(context.settings.maxDurationMs, longest),
    allow: says ? allow : defaults.allow,
    deny: [...(entry.tools?.deny ?? []), ...(entry.disabledTools ?? [])],
    trustAnnotations: entry.trustAnnotations ?? context.settings.trustAnnotations,
    idempotentTools: entry.idempotentTools ?? defaults.idempotentTools,
    instances: entry.instances,
    circuit: entry.circuit,
  };
  return { server, broken, notes };
}

/** How the server is reached, or what the entry was expected to say of it. */
function viaOf(
  entry: McpServerEntry,
  context: ServerContext,
  broken: BrokenRule[],
): StdioServerConfig | HttpServerConfig | string {
  const { type = entry.transportType, command, url } = entry;
  if (type === undefined && command !== undefined && url !== undefined) {
    return 'command or url, got both; type says which of them counts';
  }
  const isProcess = type === undefined ? url === undefined : type === 'stdio';
  if (!isProcess) {
    if (url === undefined) return `url, as type is ${type}; got nothing`;
    return { kind: type === 'sse' ? 'sse' : 'http', url, headers: entry.headers ?? {} };
  }
  if (command === undefined) {
    return type === 'stdio' ? 'command, as type is stdio; got nothing' : 'command or url';
  }
  const fromFile = entry.envFile === undefined ? {} : readEnvFile(entry.envFile, context, broken);
  const { env, folder, platform = process.platform } = context;
  return {
    kind: 'stdio',
    command,
    args: entry.args ?? [],
    env: childEnvironment(env, { ...fromFile, ...entry.env }, platform),
    ...(entry.cwd === undefined ? {} : { cwd: resolve(folder, entry.cwd) }),
  };
}

function readEnvFile(
  name: string,
  { folder, readFile }: ServerContext,
  broken: BrokenRule[],
): Readonly<Record<string, string | undefined>> {
  const path = resolve(folder, name);
  try {
    return parseEnv(readFile(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `expected a file that can be read, got ${path}: ${reason}`;
    broken.push({ path: ['envFile'], message, isKey: false });
    return {};
  }
}
