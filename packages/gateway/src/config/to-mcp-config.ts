import { dirname, resolve } from 'node:path';
import { loadMcpFiles, mergeServers } from '../mcp/config/load-mcp-files.ts';
import { safeServerName } from '../mcp/config/safe-server-name.ts';
import { toMcpServer } from '../mcp/config/to-mcp-server.ts';
import type { McpConfig, McpServerConfig } from '../mcp/mcp-config.ts';
import type { McpServerSettings } from '../mcp/mcp-defaults.ts';
import type { ConfigProblem } from './config-problem.ts';
import type { Environment } from './expand-variables.ts';
import type { McpSection } from './mcp-schema.ts';
import type { BrokenRule } from './read-issue.ts';

/** Where a section stands, and what it is read with. */
export interface McpSectionContext {
  /** Paths in the section start in its folder. */
  readonly file: string;
  readonly env: Environment;
  /** Throws where it cannot. */
  readonly readFile: (path: string) => string;
}

/** The MCP side of the gateway, or what is wrong with it: here, or in files that it names. */
export type ReadMcpSection =
  | { readonly ok: true; readonly mcp: McpConfig; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly broken: readonly BrokenRule[];
      readonly problems: readonly ConfigProblem[];
    };

/** The `mcp` section of `holdfast.yaml` with all its servers; those in the section win over those in files. */
export function toMcpConfig(read: McpSection, context: McpSectionContext): ReadMcpSection {
  const { file, env, readFile } = context;
  const { servers = {}, files = [], plugins, pins, ...rest } = read;
  const { timeoutMs, maxDurationMs, trustAnnotations, ...settings } = rest;
  const defaults = { timeoutMs, maxDurationMs, trustAnnotations };
  const folder = dirname(file);
  const paths = files.map((name) => resolve(folder, name));
  const loaded = loadMcpFiles(paths, { env, readFile, settings: defaults });
  const own = readOwn(servers, context, defaults);
  const broken = [...own.broken];
  if (files.length === 0 && Object.keys(servers).length === 0) {
    const message = 'expected servers, or files that name them; got neither';
    broken.push({ path: ['mcp'], message, isKey: false });
  }
  if (!loaded.ok || broken.length > 0) {
    return { ok: false, broken, problems: loaded.ok ? [] : loaded.problems };
  }
  const merged = mergeServers([
    { from: files.join(', '), servers: loaded.servers },
    { from: file, servers: own.servers },
  ]);
  const mcp = {
    ...settings,
    servers: merged.servers,
    ...(plugins === undefined ? {} : { pluginFile: resolve(folder, plugins) }),
    ...(pins === undefined ? {} : { pinFile: resolve(folder, pins) }),
  };
  return { ok: true, mcp, notes: [...loaded.notes, ...own.notes, ...merged.notes] };
}

function readOwn(
  entries: NonNullable<McpSection['servers']>,
  { file, env, readFile }: McpSectionContext,
  settings: McpServerSettings,
): { servers: McpServerConfig[]; broken: BrokenRule[]; notes: string[] } {
  const servers: McpServerConfig[] = [];
  const broken: BrokenRule[] = [];
  const notes: string[] = [];
  const written = new Map<string, string>();
  for (const [label, entry] of Object.entries(entries)) {
    if (entry.disabled === true || entry.enabled === false) continue;
    const name = safeServerName(label);
    const path = ['mcp', 'servers', label];
    const other = written.get(name);
    written.set(name, label);
    if (other !== undefined) {
      const message = `expected a name of its own, got "${label}", which becomes ${name} as "${other}" does`;
      broken.push({ path, message, isKey: true });
    }
    const folder = dirname(file);
    const read = toMcpServer(name, entry, { env, readFile, settings, folder, isOurs: true });
    broken.push(...read.broken.map((rule) => ({ ...rule, path: [...path, ...rule.path] })));
    notes.push(...read.notes.map((note) => `mcp server ${label}: ${note}`));
    if (read.server !== undefined) servers.push(read.server);
  }
  return { servers, broken, notes };
}
