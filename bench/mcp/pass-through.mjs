// The least that a gateway on the SDK can be: `pass-through.mjs <raw | typed> <command> [argument…]`.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [how, command, ...args] = process.argv.slice(2);
const me = { name: 'pass-through', version: '1.0.0' };

/** Takes any result for a good one. */
const anything = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) },
};

/** Every request goes to the server as it came, and nothing is looked at. */
function passRaw(server, client) {
  server.fallbackRequestHandler = ({ method, params }) =>
    client.request({ method, params }, anything);
}

/** As the SDK's documentation has it: a handler for each method, and its schemas hold on both sides. */
function passTyped(server, client) {
  for (const method of ['tools/list', 'tools/call'])
    server.setRequestHandler(method, ({ params }) => client.request({ method, params }));
}

/** The server is spoken to in the revision that the client speaks, as a gateway would that looks at nothing. */
serveStdio(async ({ era }) => {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const client = new Client(me, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args }));
  process.stdin.on('close', () => client.close());
  const server = new Server(me, { capabilities: client.getServerCapabilities() });
  (how === 'typed' ? passTyped : passRaw)(server, client);
  return server;
});
