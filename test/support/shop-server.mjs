// shop-server.mjs <v1|v2>
//
// An MCP server on the official SDK, v1 or v2, over pipes, whose tools do well, fail, hang, report progress, ask
// the user, or end the process. `calls` tells how often each was called.
import { z } from 'zod';

const [, , version] = process.argv;
const isV1 = version === 'v1';
const { McpServer } = isV1
  ? await import('@modelcontextprotocol/sdk/server/mcp.js')
  : await import('@modelcontextprotocol/server');
const { StdioServerTransport, serveStdio } = isV1
  ? await import('@modelcontextprotocol/sdk/server/stdio.js')
  : await import('@modelcontextprotocol/server/stdio');

let calls = {};
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const forever = () => new Promise(() => undefined);

let step = () => undefined;

/** Several where a client first asks which revisions are spoken. */
function makeServer() {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });

  function tool(name, config, run) {
    const inputSchema = config.inputSchema ?? z.object({});
    server.registerTool(name, { description: name, ...config, inputSchema }, (args, context) => {
      calls[name] = (calls[name] ?? 0) + 1;
      return run(args, context, calls[name]);
    });
  }

  const readOnly = { annotations: { readOnlyHint: true } };

  tool(
    'price',
    {
      inputSchema: z.object({ item: z.string(), count: z.number().int() }),
      outputSchema: z.object({ cents: z.number() }),
      ...readOnly,
    },
    ({ item, count }) => ({
      ...text(`${count} ${item}`),
      structuredContent: { cents: count * 250 },
    }),
  );
  tool('weigh', {}, () => ({
    ...text('I lost my scales'),
    structuredContent: { grams: 0 },
    isError: true,
  }));
  tool('lie', { outputSchema: z.object({ cents: z.number() }) }, () => ({
    ...text('free'),
    structuredContent: { cents: 'none' },
    isError: true,
  }));
  tool('refund', {}, () => {
    throw new Error('502 Bad Gateway');
  });
  // The first time it says nothing at all.
  tool('stock', readOnly, (_args, _context, times) => (times === 1 ? forever() : text('7 left')));
  tool('pay', {}, (_args, _context, times) => (times === 1 ? forever() : text('paid')));
  tool('quit', readOnly, () => process.exit(7));
  tool('calls', {}, () => text(JSON.stringify(calls)));
  tool('forget', {}, () => {
    calls = {};
    return text('forgotten');
  });

  // Reports progress whenever it is told to by `step`, and answers at the third time.
  tool('count', {}, (_args, context) => {
    const { progressToken } = (isV1 ? context._meta : context.mcpReq._meta) ?? {};
    const notify = isV1 ? context.sendNotification : context.mcpReq.notify;
    return new Promise((resolve) => {
      let progress = 0;
      step = () => {
        progress++;
        const params = { progressToken, progress };
        void notify({ method: 'notifications/progress', params });
        if (progress === 3) resolve(text('counted'));
      };
    });
  });
  tool('step', {}, () => {
    step();
    return text('stepped');
  });
  tool('ask', {}, async (_args, context) => {
    const params = {
      message: 'Gift wrap?',
      requestedSchema: { type: 'object', properties: { wrap: { type: 'boolean' } } },
    };
    const { content } = isV1
      ? await server.server.elicitInput(params)
      : await context.mcpReq.elicitInput(params);
    return text(`wrapped: ${content?.wrap}`);
  });

  return server;
}

if (isV1) await makeServer().connect(new StdioServerTransport());
else serveStdio(makeServer);
