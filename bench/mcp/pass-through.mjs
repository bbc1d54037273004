// The least that a gateway on the SDK can be: `pass-through.mjs <raw | typed> <command> [argument…]`.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [how, command, ...args] = process.argv.slice(2);
const me = { name: 'pass-through', version: '1.0.0' };
const client = new Client(me);
await client.connect(new StdioClientTransport({ command, args }));

/** Takes any result for a good one. */
const anything = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) },
};

/** Every request goes to the server as it came, and nothing is looked at. */
function passRaw(server) {
  server.fallbackRequestHandler = ({ method, params }) =>
    client.request({ method, params }, anything);
}

/** As the SDK's documentation has it: a handler for each method, and its schemas hold on both sides. */
function passTyped(server) {
  for (const method of ['tools/list', 'tools/call'])
    server.setRequestHandler(method, ({ params }) => client.request({ method, params }));
}

serveStdio(() => {
  const server = new Server(me, { capabilities: client.getServerCapabilities() });
  (how === 'typed' ? passTyped : passRaw)(server);
  return server;
});
process.stdin.on('close', () => client.close());
