import { createRequestStateCodec, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { RegisteredTool } from '@modelcontextprotocol/server';
import { addPrompts } from './add-prompts.ts';
import { addResources } from './add-resources.ts';
import { askingTools } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';
import type { FixtureChanges } from './fixture-changes.ts';
import { objectSchema } from './fixture-tool.ts';
import type { FixtureState, FixtureTool } from './fixture-tool.ts';
import { roundTools } from './round-tools.ts';
import { changingTool, runningTools } from './running-tools.ts';
import { schemaTools } from './schema-tools.ts';

const states = createRequestStateCodec<FixtureState>({
  key: 'only for tests, where nothing has to be kept secret',
});

const lists = { ttlMs: 60_000, cacheScope: 'public' } as const;

/** The fixture, for one connection or one request. */
export interface FixtureServer {
  readonly server: McpServer;
  /** Shows and hides what comes and goes, and tells the client where that changes its lists. */
  readonly update: () => void;
}

/** A server with everything that the conformance suite asks for. */
export function makeFixtureServer(changes: FixtureChanges): FixtureServer {
  const server = new McpServer(
    { name: 'holdfast-fixture', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      cacheHints: {
        'tools/list': lists,
        'prompts/list': lists,
        'resources/list': lists,
        'resources/templates/list': lists,
        'resources/read': { ttlMs: 5000, cacheScope: 'private' },
      },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  );
  addResources(server);
  const tools = [...contentTools, ...runningTools, ...askingTools, ...roundTools, ...schemaTools];
  for (const tool of tools) addTool(server, tool, changes);
  const changing = {
    tool: addTool(server, changingTool, changes),
    prompt: addPrompts(server),
  };
  const update = (): void => {
    for (const kind of ['tool', 'prompt'] as const) {
      // Either one tells the client, also where nothing changed.
      if (changing[kind].enabled === changes.shown[kind]) continue;
      if (changes.shown[kind]) changing[kind].enable();
      else changing[kind].disable();
    }
  };
  update();
  return { server, update };
}

function addTool(server: McpServer, tool: FixtureTool, changes: FixtureChanges): RegisteredTool {
  const { name, description, annotations, inputSchema = objectSchema({}) } = tool;
  return server.registerTool(
    name,
    {
      description,
      inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema),
      ...(annotations && { annotations }),
    },
    (args, context) => tool.run({ args, context, changes, states }),
  );
}
