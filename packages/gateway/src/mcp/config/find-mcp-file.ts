import { join } from 'node:path';

/** Where clients keep the servers of a project, in the order in which they are looked for. */
export const MCP_FILES: readonly string[] = ['.mcp.json', '.vscode/mcp.json'];

/** The file that names the servers of a folder; undefined where there is none. */
export function findMcpFile(folder: string, exists: (path: string) => boolean): string | undefined {
  return MCP_FILES.map((name) => join(folder, name)).find((path) => exists(path));
}
