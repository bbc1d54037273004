// The server that is called: one tool, as little work as there can be. `echo.mjs` serves stdio, `echo.mjs http` a free port.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const tool = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

function makeServer() {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: params.arguments.message }],
  }));
  return server;
}

if (process.argv[2] === 'http') {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)));
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
  process.on('disconnect', () => process.exit());
} else {
  serveStdio(makeServer);
}
