import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import type { FixtureChanges } from './fixture-changes.ts';
import { makeFixtureServer } from './make-fixture-server.ts';

/** Serves the fixture on this process' standard input and output. */
export async function serveStdioFixture({ legacyOnly = false } = {}): Promise<void> {
  const servers: McpServer[] = [];
  const changes: FixtureChanges = {
    shown: { tool: false, prompt: false },
    notify: {
      toolsChanged: () => servers.at(-1)?.sendToolListChanged(),
      promptsChanged: () => servers.at(-1)?.sendPromptListChanged(),
      resourceUpdated: (uri) => void servers.at(-1)?.server.sendResourceUpdated({ uri }),
    },
  };
  // The last one is the one that serves: those before it answered a probe.
  const make = (): McpServer => {
    const server = makeFixtureServer(changes);
    servers.push(server);
    return server;
  };
  if (legacyOnly) await make().connect(new StdioServerTransport());
  else serveStdio(make);
}
