import type { ConfigProblem } from '../../config/config-problem.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { readMcpServers } from './read-mcp-servers.ts';
import type { McpFile, ReadMcpServers } from './read-mcp-servers.ts';

/** Reads several files of servers. Where two name the same server, the later one has it. Never throws. */
export function loadMcpFiles(
  files: readonly string[],
  context: Omit<McpFile, 'file'>,
): ReadMcpServers {
  const problems: ConfigProblem[] = [];
  const notes: string[] = [];
  const lists: ServerList[] = [];
  for (const file of files) {
    const read = readFile(file, context);
    if (read.ok) {
      lists.push({ from: file, servers: read.servers });
      notes.push(...read.notes);
    } else {
      problems.push(...read.problems);
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const merged = mergeServers(lists);
  return { ok: true, servers: merged.servers, notes: [...notes, ...merged.notes] };
}

/** Servers, and the file that names them. */
export interface ServerList {
  readonly from: string;
  readonly servers: readonly McpServerConfig[];
}

/** All servers by their names; those of later lists take the place of earlier ones. */
export function mergeServers(lists: readonly ServerList[]): {
  readonly servers: readonly McpServerConfig[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const found = new Map<string, { readonly from: string; readonly server: McpServerConfig }>();
  for (const { from, servers } of lists) {
    for (const server of servers) {
      const { name } = server;
      const before = found.get(name);
      if (before !== undefined) {
        notes.push(`${name} is in ${before.from} and in ${from}; that of ${from} is used`);
      }
      found.set(name, { from, server });
    }
  }
  return { servers: [...found.values()].map(({ server }) => server), notes };
}

function readFile(file: string, context: Omit<McpFile, 'file'>): ReadMcpServers {
  let text;
  try {
    text = context.readFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `expected a file that can be read: ${reason}`;
    return { ok: false, problems: [{ file, line: 1, column: 1, path: '', message }] };
  }
  return readMcpServers(text, { ...context, file });
}
