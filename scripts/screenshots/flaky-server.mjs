// An MCP server over pipes for the pictures. Its tools are named on its command line; the file that comes first on
// it says of each which share of its calls fails, and how.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [moods, ...tools] = process.argv.slice(2);
let calls = 0;

function answer(name) {
  const { share = 0, says = '' } = JSON.parse(readFileSync(moods, 'utf8'))[name] ?? {};
  // Evenly, so that a picture looks the same each time it is taken.
  const isFailing = Math.floor(++calls * share) > Math.floor((calls - 1) * share);
  return isFailing
    ? { content: [{ type: 'text', text: says }], isError: true }
    : { content: [{ type: 'text', text: `${name}: done, ${calls}` }] };
}

const listed = tools.map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
}));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const send = (answered) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answered })}\n`);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'flaky', version: '1.0.0' };
    send({ result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') send({ result: { tools: listed } });
  else if (method === 'tools/call') setTimeout(() => send({ result: answer(params.name) }), 2);
  else if (id !== undefined) send({ error: { code: -32601, message: 'Method not found' } });
}
