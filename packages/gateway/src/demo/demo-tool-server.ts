// The MCP server of the demo: four tools, of which one is down half of the time.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** For so long `charge_card` fails, and then works for as long, from the start on. */
const halfCycleMs = Number(process.argv[2] ?? '20000');

const NOTES: Readonly<Record<string, string>> = {
  'shopping.md': 'Bread, tea, a new lamp.',
  'travel.md': 'Train to Oslo on Friday, platform 4.',
};
const PAGES = ['How tides work', 'A short history of tides', 'Tides and the moon'];

const server = new McpServer({ name: 'demo-tools', version: '1.0.0' });
const answer = (text: string, isError = false) => ({
  content: [{ type: 'text' as const, text }],
  isError,
});
const safe = { readOnlyHint: true };

server.registerTool(
  'get_weather',
  {
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    annotations: safe,
  },
  ({ city }) => answer(`Cloudy in ${city}, 7 degrees, wind from the west.`),
);
server.registerTool(
  'search_pages',
  {
    description: 'Searches pages for a query',
    inputSchema: z.object({ query: z.string(), limit: z.int().optional() }),
    annotations: safe,
  },
  ({ limit = 3 }) => answer(PAGES.slice(0, limit).join('\n')),
);
server.registerTool(
  'read_note',
  {
    description: 'Reads a note by the name of its file',
    inputSchema: z.object({ file: z.string() }),
    annotations: safe,
  },
  ({ file }) => {
    const note = Object.hasOwn(NOTES, file) ? NOTES[file] : undefined;
    if (note !== undefined) return answer(note);
    // Whoever asks for what is not there says nothing of the tool: with its code, no circuit counts it.
    const missing = answer(`ENOENT: no such file, open '${file}'`, true);
    return { ...missing, structuredContent: { code: 'ENOENT' } };
  },
);
server.registerTool(
  'charge_card',
  {
    description: 'Charges the card of an order',
    inputSchema: z.object({ order: z.string() }),
  },
  ({ order }) => {
    const isDown = Math.floor(performance.now() / halfCycleMs) % 2 === 0;
    return isDown
      ? answer('503 Service Unavailable: the bank does not answer', true)
      : answer(`Order ${order} is paid.`);
  },
);
await server.connect(new StdioServerTransport());
