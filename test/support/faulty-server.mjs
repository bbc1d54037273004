import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// faulty-server.mjs <name> <folder> [grandchild] [detached] [stubborn]
//
// An MCP server that misbehaves when it is asked to, written on bare lines because no library would let it.
// What happens to it is in <folder>/<name>.log; files of the folder say how it is:
//   <name>.down   it ends as soon as it is started
//   <name>.deaf   it reads, and answers nothing
//   <name>.slow   its list takes as many milliseconds as the file says
const [name, folder, ...traits] = process.argv.slice(2);

const note = (event) =>
  appendFileSync(
    join(folder, `${name}.log`),
    `${JSON.stringify({ ...event, pid: process.pid })}\n`,
  );
const isSet = (state) => existsSync(join(folder, `${name}.${state}`));

note({ event: 'started' });
if (isSet('down')) {
  process.stderr.write('the database is gone\n');
  process.exit(3);
}
if (traits.includes('grandchild')) {
  const forever = ['--eval', 'setInterval(() => undefined, 1000)'];
  const { pid } = spawn(process.execPath, forever, { stdio: 'ignore' });
  note({ event: 'spawned', child: pid });
}
if (traits.includes('detached')) {
  // In a session of its own, and the one that started it has gone: nothing but its environment says whose it is.
  const forever = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)";
  const spawner = `const { spawn } = require('node:child_process');
    const how = { stdio: 'ignore', detached: true };
    const { pid } = spawn(process.execPath, ['--eval', ${JSON.stringify(forever)}], how);
    console.log(pid);
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ['--eval', spawner], { encoding: 'utf8' });
  note({ event: 'spawned', child: Number(stdout) });
}
if (traits.includes('stubborn')) {
  const stay = () => void setTimeout(stay, 1000);
  stay();
  process.on('SIGTERM', () => note({ event: 'told to end' }));
}

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said) => ({ content: [{ type: 'text', text: said }] });
const takes = (properties, required = Object.keys(properties)) => ({
  inputSchema: { type: 'object', properties, required },
});
const STRING = { type: 'string' };

/** What each tool is listed with, and what it does. It answers what it returns, or nothing. */
const tools = {
  echo: { ...takes({ text: STRING }), run: ({ text: said }) => text(`${name}: ${said}`) },
  // Does its work, and ends before or behind its answer; with `once`, only the first time.
  pay: {
    ...takes({ end: STRING, once: { type: 'boolean' } }, []),
    run: ({ end, once = false }, id, tool) => {
      const before = readFileSync(join(folder, `${name}.log`), 'utf8');
      const isFirst = before.split(`"tool":"${tool}"`).length === 2;
      if (end === 'before' && (isFirst || !once)) process.exit(9);
      send({ id, result: text('paid') });
      if (end === 'behind') process.exit(9);
    },
  },
  hang: { ...takes({}), run: () => undefined },
  stall: { ...takes({}), run: () => undefined },
  // Writes lines as they are, with its own number for ID.
  write: {
    ...takes({ lines: { type: 'array', items: STRING } }),
    run: ({ lines }, id) => void process.stdout.write(lines.join('\n').replaceAll('ID', id)),
  },
  complain: {
    ...takes({ bytes: { type: 'integer' } }),
    run: ({ bytes }) => {
      const line = `${'complaint '.repeat(100)}\n`;
      for (let left = bytes; left > 0; left -= line.length) process.stderr.write(line);
      return text('I have complained');
    },
  },
  fail: { ...takes({ text: STRING }), run: ({ text: said }) => ({ ...text(said), isError: true }) },
  refuse: {
    ...takes({ code: { type: 'integer' }, message: STRING }),
    // Of texts that are too long to be asked for.
    run: ({ times = 1, message, data, ...error }, id) => {
      const said = data === undefined ? {} : { data: times === 1 ? data : data.repeat(times) };
      void send({ id, error: { ...error, message: message.repeat(times), ...said } });
    },
  },
  flaky: {
    ...takes({}),
    run: () => (isSet('ill') ? { ...text('boom'), isError: true } : text('well')),
  },
};
tools.read = { ...tools.pay, annotations: { readOnlyHint: true } };
tools.waver = { ...tools.pay, annotations: { readOnlyHint: true, destructiveHint: true } };

// Sends a message again and again, as fast as it is read; with TOKEN as the token for progress of the call.
let flooded = 0;
tools.flood = {
  ...takes({ message: STRING, times: { type: 'integer' } }, ['message']),
  run: ({ message, times = Infinity }, id, tool, meta = {}) => {
    const line = `${message.replaceAll('TOKEN', JSON.stringify(meta.progressToken ?? null))}\n`;
    const burst = line.repeat(Math.min(times, 100));
    const write = () => {
      while (flooded < times) {
        flooded += Math.min(times, 100);
        if (!process.stdout.write(burst)) return void process.stdout.once('drain', write);
      }
      send({ id, result: text('flooded') });
    };
    write();
  },
};
// How many of its requests were answered by an error.
let refused = 0;
tools.refused = { ...takes({}), run: () => text(String(refused)) };

const listed = Object.entries(tools).map(([tool, { inputSchema, annotations }]) => ({
  name: tool,
  inputSchema,
  ...(annotations && { annotations }),
}));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name, version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': (_, id) => {
    note({ event: 'listed' });
    const slowMs = isSet('slow') ? Number(readFileSync(join(folder, `${name}.slow`), 'utf8')) : 0;
    if (slowMs === 0) return { tools: listed };
    setTimeout(() => send({ id, result: { tools: listed } }), slowMs);
    return undefined;
  },
  'tools/call': ({ name: tool, arguments: given, _meta: meta }, id) => {
    note({ event: 'ran', tool, given });
    if (tool.startsWith('hidden_')) return text('done');
    if (tools[tool] === undefined) {
      return void send({ id, error: { code: -32_602, message: `Unknown tool: ${tool}` } });
    }
    return tools[tool].run(given, id, tool, meta);
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  if (isSet('deaf')) return;
  const { id, method, params = {}, error } = JSON.parse(line);
  if (method === 'notifications/cancelled') note({ event: 'cancelled' });
  if (error !== undefined) refused++;
  if (id === undefined || method === undefined) return;
  const answer = methods[method];
  if (answer === undefined) {
    send({ id, error: { code: -32_601, message: `Method not found: ${method}` } });
    return;
  }
  const result = answer(params, id);
  if (result !== undefined) send({ id, result });
});
