import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// tool-server.mjs <name> <ledger>
//
// An MCP server on bare lines whose tools have an effect: a line in the ledger, written before the answer. It can
// be killed, stopped, or told by the arguments to misbehave at the worst moment.
const [name, ledger] = process.argv.slice(2);

const note = (entry) =>
  appendFileSync(ledger, `${JSON.stringify({ server: name, pid: process.pid, ...entry })}\n`);
note({ event: 'started' });

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said) => ({ content: [{ type: 'text', text: said }] });

const inputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    note: { type: 'string' },
    ms: { type: 'integer' },
    end: { type: 'string', enum: ['before', 'behind'] },
  },
  required: ['id'],
};

/** Answers after a while; or ends before, or right behind it. */
function finish(id, { ms = 0, end }, said) {
  setTimeout(() => {
    if (end === 'before') process.exit(9);
    send({ id, result: text(said) });
    if (end === 'behind') process.stdout.end(() => process.exit(9));
  }, ms);
}

const tools = {
  // Twice is not as good as once, and it does not say that it is.
  pay: { run: (given, id) => finish(id, given, `paid ${given.id}`) },
  look: {
    annotations: { readOnlyHint: true },
    run: (given, id) => finish(id, given, `seen ${given.id}`),
  },
  fail: { run: (given, id) => send({ id, result: { ...text(`no ${given.id}`), isError: true } }) },
  hang: { run: () => undefined },
  count: {
    run: (given, id, token) => {
      let progress = 0;
      const step = () => {
        progress++;
        if (progress > 4) return send({ id, result: text(`counted ${given.id}`) });
        if (token !== undefined) {
          const params = { progressToken: token, progress, total: 4 };
          send({ method: 'notifications/progress', params });
        }
        return setTimeout(step, 40);
      };
      step();
    },
  },
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([tool, { annotations }]) => ({
      name: tool,
      inputSchema,
      ...(annotations && { annotations }),
    })),
  }),
  'tools/call': ({ name: tool, arguments: given, _meta }, id) => {
    note({ event: 'ran', tool, id: given.id });
    tools[tool].run(given, id, _meta?.progressToken);
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const answer = methods[method];
  if (answer === undefined) {
    send({ id, error: { code: -32_601, message: `Method not found: ${method}` } });
    return;
  }
  const result = answer(params, id);
  if (result !== undefined) send({ id, result });
});
