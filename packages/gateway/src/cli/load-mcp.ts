import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { findMcpFile, MCP_FILES } from '../mcp/config/find-mcp-file.ts';
import { nameOfCommand } from '../mcp/config/name-of-command.ts';
import type { McpServerConfig } from '../mcp/mcp-config.ts';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import type { McpServerSettings } from '../mcp/mcp-defaults.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import type { McpFlags } from './read-mcp-flags.ts';

/** A gateway for MCP only, or what is wrong with the files that describe it. */
export type LoadedMcp =
  | {
      readonly ok: true;
      readonly config: GatewayConfig & { readonly mcp: NonNullable<GatewayConfig['mcp']> };
      readonly notes: readonly string[];
      /** The files of servers that were read. */
      readonly files: readonly string[];
      /** The one of them that no option named: it was found in the folder. */
      readonly foundFile?: string | undefined;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** The configuration that the options of `holdfast mcp` describe, with the files they name. */
export async function loadMcp(
  flags: McpFlags,
  env: Io['env'],
  folder: string = process.cwd(),
): Promise<LoadedMcp> {
  const {
    timeoutMs: ofServers,
    maxDurationMs,
    trustAnnotations,
    ...settings
  } = MCP_DEFAULTS.settings;
  const timeoutMs = flags.timeoutMs ?? ofServers;
  const forServers = {
    timeoutMs,
    maxDurationMs: Math.max(maxDurationMs, timeoutMs),
    trustAnnotations,
  };
  const read = await readServers(flags, env, folder, forServers);
  if (!read.ok) return read;
  const { api, proxy, observe, shutdownGraceMs, listen } = CONFIG_DEFAULTS;
  const config = {
    listen: flags.listen ?? listen,
    ...(flags.token === undefined ? {} : { token: flags.token }),
    upstreams: [],
    proxy,
    api,
    observe,
    log: { level: flags.logLevel },
    shutdownGraceMs,
    mcp: {
      ...settings,
      servers: read.servers.map((server) => ({
        ...server,
        allow: flags.allow ?? server.allow,
        deny: [...server.deny, ...flags.deny],
      })),
      // A server that is wrapped in place is called what it was called before.
      prefix: flags.prefix ?? (flags.command === undefined ? settings.prefix : 'never'),
      check: flags.check,
      advice: flags.advice,
      ...(flags.pluginFile === undefined ? {} : { pluginFile: resolve(folder, flags.pluginFile) }),
      ...(flags.pinFile === undefined ? {} : { pinFile: resolve(folder, flags.pinFile) }),
    },
  };
  const isFound = flags.files.length === 0;
  return {
    ok: true,
    config,
    notes: read.notes,
    files: read.files,
    ...(isFound && { foundFile: read.files[0] }),
  };
}

type ReadServers =
  | {
      ok: true;
      servers: readonly McpServerConfig[];
      notes: readonly string[];
      files: readonly string[];
    }
  | { ok: false; problems: readonly ConfigProblem[] };

async function readServers(
  { command, files }: McpFlags,
  env: Io['env'],
  folder: string,
  settings: McpServerSettings,
): Promise<ReadServers> {
  const [program, ...args] = command ?? [];
  if (command !== undefined && program !== undefined) {
    const via = { kind: 'stdio' as const, command: program, args, env: inheritedEnvironment(env) };
    const server = { ...MCP_DEFAULTS.server, ...settings, name: nameOfCommand(command), via };
    return { ok: true, servers: [server], notes: [], files: [] };
  }
  const found = files.length > 0 ? files : [findMcpFile(folder, existsSync)];
  const paths = found.flatMap((file) => (file === undefined ? [] : [resolve(folder, file)]));
  if (paths.length === 0) {
    throw new Misuse(
      `expected --config, a command behind --, or ${MCP_FILES.join(' or ')} in ${folder}; got none of them`,
    );
  }
  const { loadMcpFiles } = await import('../mcp/config/load-mcp-files.ts');
  const read = loadMcpFiles(paths, {
    env,
    settings,
    readFile: readConfigFile,
  });
  return read.ok ? { ...read, files: paths } : read;
}

/**
 * All of ours but what is meant for us. A client that starts us in place of a server gives us the variables that
 * it would have given the server, and nobody can name them on the command line.
 */
function inheritedEnvironment(env: Io['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] =>
        pair[1] !== undefined && !pair[0].toUpperCase().startsWith('HOLDFAST_'),
    ),
  );
}
