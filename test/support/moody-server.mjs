// An MCP server over pipes whose tools, named on its command line, do as it is told: tool `mood` makes them
// `fine`, `failing`, `picky` about arguments, `silent` or `gone`, and tells how often each was called. Calls that were
// met with silence are answered when the mood changes.
import { createInterface } from 'node:readline';

const tools = process.argv.slice(2);
const calls = Object.fromEntries(tools.map((tool) => [tool, 0]));
let mood = 'fine';
let waiting = [];

const text = (said, isError = false) => ({ content: [{ type: 'text', text: said }], isError });
const answers = {
  fine: (tool) => text(`${tool} is done`),
  failing: () => text('502 Bad Gateway', true),
  picky: () => text('Invalid arguments: cents must be positive', true),
};

function call({ name, arguments: args = {} }, reply) {
  if (name === 'mood') {
    mood = args.is ?? mood;
    if (mood === 'gone') process.exit(7);
    reply(text(JSON.stringify(calls)));
    if (mood === 'silent') return;
    for (const answer of waiting.splice(0)) answer();
    return;
  }
  calls[name]++;
  const answer = () => reply(answers[mood](name));
  if (mood === 'silent') waiting = [...waiting, answer];
  else answer();
}

const listed = [...tools, 'mood'].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { cents: { type: 'integer' } } },
}));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const send = (answer) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  const reply = (result) => send({ result });
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'moody', version: '1.0.0' };
    reply({ protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === 'tools/list') reply({ tools: listed });
  else if (method === 'tools/call') call(params, reply);
  else if (id !== undefined) send({ error: { code: -32601, message: 'Method not found' } });
}
