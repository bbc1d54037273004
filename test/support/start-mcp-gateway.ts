import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './repository.ts';
import { startServing } from './start-serving.ts';
import type { Serving } from './start-serving.ts';

/** The program `holdfast`, as it was built. */
export const holdfast: string = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');

/** A file of servers as clients have it. */
export interface McpServersFile {
  readonly mcpServers: Readonly<Record<string, object>>;
}

/** What to start with Node to have one server wrapped, on standard input and output. */
export const wrapServer = (command: readonly string[], flags: readonly string[] = []) => [
  holdfast,
  'mcp',
  ...flags,
  '--',
  ...command,
];

/** Starts the built `holdfast mcp` in front of servers, over HTTP on a free port. Its URL has the path. */
export async function startMcpGateway(
  servers: McpServersFile,
  flags: readonly string[] = [],
): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-mcp-'));
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify(servers));
  const listen = ['--config', file, '--listen', '127.0.0.1:0'];
  const serving = await startServing([holdfast, 'mcp', ...listen, ...flags], folder);
  const { origin, pathname } = new URL(serving.url);
  return {
    ...serving,
    url: `${origin}${pathname === '/' ? '/mcp' : pathname}`,
    close: async () => {
      const code = await serving.close();
      rmSync(folder, { recursive: true });
      return code;
    },
  };
}
