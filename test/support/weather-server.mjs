// An MCP server over pipes whose answers tell what it was asked with: `get_weather` gives back the `_meta` of the
// request, `storm` fails as a tool does, `fog` as the protocol does, and `drought` never answers.
import { createInterface } from 'node:readline';

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said, isError = false) => ({ content: [{ type: 'text', text: said }], isError });

function call(id, { name, _meta = {} }) {
  if (name === 'get_weather') send({ id, result: text(JSON.stringify(_meta)) });
  else if (name === 'storm') send({ id, result: text('503 Service Unavailable', true) });
  else if (name === 'fog') send({ id, error: { code: -32602, message: 'nothing to see' } });
  else if (name !== 'drought') send({ id, error: { code: -32602, message: `no tool ${name}` } });
}

const tools = ['get_weather', 'storm', 'fog', 'drought'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'weather', version: '1.0.0' };
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') send({ id, result: { tools } });
  else if (method === 'tools/call') call(id, params);
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
}
