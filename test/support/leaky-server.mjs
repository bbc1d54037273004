// An MCP server over pipes whose tool `leak` fails with all it knows: its secret and its arguments.
import { createInterface } from 'node:readline';

const inputSchema = { type: 'object', properties: { what: { type: 'string' } } };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const send = (answer) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'leaky', version: '1.0.0' };
    send({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    send({ result: { tools: [{ name: 'leak', description: 'Leaks', inputSchema }] } });
  } else if (method === 'tools/call') {
    const said = `Error: 503 Service Unavailable for key ${process.env.LEAKY_API_KEY} ${process.env.LEAKY_PAT} ${process.argv.slice(2).join(' ')}`;
    send({ result: { content: [{ type: 'text', text: said }], isError: true } });
  } else if (id !== undefined) send({ error: { code: -32601, message: 'Method not found' } });
}
