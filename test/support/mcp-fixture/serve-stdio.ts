import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';
import type { FixtureChanges } from './fixture-changes.ts';
import { makeFixtureServer } from './make-fixture-server.ts';
import type { FixtureServer } from './make-fixture-server.ts';

/** Serves the fixture on this process' standard input and output. */
export async function serveStdioFixture({ legacyOnly = false } = {}): Promise<void> {
  const made: FixtureServer[] = [];
  const changes: FixtureChanges = {
    shown: { tool: false, prompt: false },
    notify: {
      toolsChanged: () => made.at(-1)?.update(),
      promptsChanged: () => made.at(-1)?.update(),
      resourceUpdated: (uri) => void made.at(-1)?.server.server.sendResourceUpdated({ uri }),
    },
  };
  // The last one is the one that serves: those before it answered a probe.
  const make = (): McpServer => {
    const fixture = makeFixtureServer(changes);
    made.push(fixture);
    return fixture.server;
  };
  if (legacyOnly) await make().connect(new StdioServerTransport());
  else serveStdio(make);
}
