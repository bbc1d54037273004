import { Agent, request } from 'undici';
import { startAll } from '../proxy/processes.mjs';
import { conversation } from '../proxy/conversations.mjs';
import { figure, OURS } from '../harness/figures.mjs';
import { digits, spread, times } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';

export const about =
  'Streams of 100 chunks over loopback, from a server that sends them as fast as they are taken: through a bare `node:http` relay that looks at nothing, through Holdfast with one tool offered, and through the newest Portkey gateway, each in a process of its own. Contestants take turns; the best turn of each counts: the most streams per second, and the lowest median time to the first token, one request at a time. Then one stream of 4,900 chunks at a time: at least 5,000 chunks a second. Budgets: at least 60 % of the relay and ahead of Portkey; first token at most 1 ms later than through the relay, for a short request and for that of an agent in the middle of its work (in front of a model that thinks for a millisecond, as what is done meanwhile costs nobody time; turns in which a tool has failed twice, and prompts with tools in them, are shown beside); memory after 10,000 streams within 10 % of that after 2,000. When a call in text arrives that is held until the answer ends, as the model may have begun in reasoning, is shown beside.';

const CONCURRENCY = 16;
const TURN_STREAMS = 160;
const TURNS = 12;
const TOKEN_TURNS = 30;
const TURN_TOKENS = 15;
const WARM_UP = 300;
const MIN_SHARE = 0.6;
const MAX_ADDED_MS = 1;
const MAX_GROWTH = 1.1;
const LONG_TURNS = 8;
const MIN_CHUNKS = 5000;
const CALL_TURNS = 12;
const RELAY = 'bare node:http relay';

const SMALL_BODY = JSON.stringify({
  model: 'bench',
  stream: true,
  messages: [{ role: 'user', content: 'Tell me of the fox.' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    },
  ],
});

const dispatcher = new Agent({ connections: 64 });

const SMALL = { path: '/v1/chat/completions', body: SMALL_BODY };
const LONG = { ...SMALL, body: SMALL_BODY.replace('"bench"', '"long"') };

const CALLING = Object.fromEntries(
  ['call-first', 'call-last'].map((model) => [
    model,
    { ...SMALL, body: SMALL_BODY.replace('"bench"', `"${model}"`) },
  ]),
);

async function open({ port, headers, asked = SMALL }) {
  const answer = await request(`http://127.0.0.1:${port}${asked.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: asked.body,
    dispatcher,
  });
  if (answer.statusCode !== 200)
    throw new Error(`status ${answer.statusCode}: ${await answer.body.text()}`);
  return answer.body;
}

/** Reads one stream; returns how many events it had. */
async function readStream(target) {
  let text = '';
  for await (const chunk of await open(target)) text += chunk.toString('latin1');
  return text.split('\n\n').length - 1;
}

async function streamsPerSecond(target, count) {
  let left = count;
  const start = performance.now();
  const work = async () => {
    while (left-- > 0) {
      const events = await readStream(target);
      if (events < 100) throw new Error(`a stream had ${events} events`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return (count / (performance.now() - start)) * 1000;
}

async function firstToken(target) {
  const start = performance.now();
  let time;
  for await (const { length } of await open(target))
    if (length > 0) time ??= performance.now() - start;
  return time;
}

/** `turns` of each, in an order that changes. */
async function takeTurns(names, turns, kind, measure) {
  const all = Object.fromEntries(names.map((name) => [name, kind()]));
  for (let turn = 0; turn < turns; turn++)
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + turn) % names.length];
      all[name].add(await measure(name));
    }
  return all;
}

const lowest = () => new Turns();
const highest = () => new Turns({ isRate: true });

/** The lowest median of each, taking turns. */
async function firstTokens(targets) {
  const names = Object.keys(targets);
  // A gateway that runs for a day has long been compiled.
  for (const name of names)
    for (let count = 0; count < WARM_UP; count++) await firstToken(targets[name]);
  return takeTurns(names, TOKEN_TURNS, lowest, (name) => medianFirstToken(targets[name]));
}

/** What is done to the request of an agent, beside the relay that passes on the same bytes. */
async function measureRequests({ targets, variants }) {
  const relay = targets[RELAY];
  const holdfast = targets.Holdfast;
  const cases = [
    ['Chat Completions in place, without advice', variants['without advice'], 'chat', false],
    ['Chat Completions in place', holdfast, 'chat', false],
    ['Chat Completions in place, advice is due', holdfast, 'chat', true],
    ['Anthropic Messages, translated', holdfast, 'messages', false],
    ['Anthropic Messages, translated, advice is due', holdfast, 'messages', true],
    ['OpenAI Responses, translated', holdfast, 'responses', false],
    ['OpenAI Responses, translated, advice is due', holdfast, 'responses', true],
    [
      'Chat Completions, tools in the prompt',
      variants['tools in the prompt'],
      'chat',
      false,
      false,
    ],
  ];
  const contestants = {};
  for (const [name, target, protocol, isFailing] of cases) {
    const asked = conversation(protocol, isFailing);
    contestants[name] = { ...target, asked };
    contestants[`relay: ${name}`] = { ...relay, asked };
  }
  const first = await firstTokens(contestants);
  return cases.map(([name, , , isFailing, isUsual = !isFailing]) => ({
    name,
    ms: first[name],
    relayMs: first[`relay: ${name}`].best,
    isUsual,
  }));
}

/** When a call in text arrives, held until the answer ends and not held, where it is first and last in it. */
async function measureHeldCalls({ targets, variants }) {
  const rows = [];
  for (const [name, asked] of Object.entries(CALLING)) {
    const contestants = { held: targets.Holdfast, sent: variants['calls never held'] };
    const times = await takeTurns(Object.keys(contestants), CALL_TURNS, lowest, (kind) =>
      callArrival({ ...contestants[kind], asked }),
    );
    rows.push({ name, ...times });
  }
  return rows;
}

async function callArrival(target) {
  // Three answers would show that the model begins outside reasoning.
  const reset = await request(`http://127.0.0.1:${target.port}/api/v1/reasoning/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    dispatcher,
  });
  await reset.body.dump();
  const start = performance.now();
  let text = '';
  let time;
  for await (const chunk of await open(target)) {
    text += chunk.toString('latin1');
    if (text.includes('"tool_calls"')) time ??= performance.now() - start;
  }
  if (time === undefined) throw new Error('the call did not arrive');
  return time;
}

async function medianFirstToken(target) {
  const times = [];
  for (let count = 0; count < TURN_TOKENS; count++) times.push(await firstToken(target));
  return middle(times);
}

const middle = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

export async function run() {
  const processes = await startAll();
  try {
    const { targets } = processes;
    const names = Object.keys(targets);
    for (const name of names) await streamsPerSecond(targets[name], TURN_STREAMS);
    const streams = await takeTurns(names, TURNS, highest, (name) =>
      streamsPerSecond(targets[name], TURN_STREAMS),
    );
    const first = await firstTokens(targets);
    const chunks = await takeTurns(names, LONG_TURNS, highest, (name) =>
      chunksPerSecond(targets[name]),
    );
    const requests = await measureRequests(processes);
    const held = await measureHeldCalls(processes);
    const memory = await measureMemory(processes);
    return {
      tables: [
        streamTable(names, streams, first),
        chunkTable(names, chunks),
        requestTable(requests),
        heldTable(held),
        memoryTable(memory),
      ],
      figures: figuresOf({ names, streams, first, chunks, requests, held }),
      results: { streams, first, chunks, requests, held, memory },
    };
  } finally {
    processes.stop();
    await dispatcher.destroy();
  }
}

/** Of one stream, which is read as fast as it comes. */
async function chunksPerSecond(target) {
  const start = performance.now();
  const events = await readStream({ ...target, asked: LONG });
  return (events / (performance.now() - start)) * 1000;
}

function streamTable(names, streams, first) {
  const added = (name) => first[name].best - first[RELAY].best;
  const share = (name) => streams[name].best / streams[RELAY].best;
  const rows = names.map((name) => ({
    cells: [
      name,
      digits(streams[name].best),
      spread(streams[name]),
      times(share(name)),
      digits(first[name].best),
      spread(first[name]),
      digits(added(name)),
      name === 'Holdfast' ? `≥ ${MIN_SHARE}x, > Portkey; ≤ ${MAX_ADDED_MS} ms` : '',
    ],
    ...(name === 'Holdfast' && {
      budgets: {
        'proxy-share': share(name) >= MIN_SHARE,
        'proxy-portkey': streams[name].best > streams.Portkey.best,
        'proxy-first-token': added(name) <= MAX_ADDED_MS,
      },
    }),
  }));
  return {
    title: '100-chunk streams, 16 at a time; first token, one at a time',
    columns: [
      'through',
      'streams / s',
      'spread',
      'of the relay',
      'first token ms',
      'spread',
      'added ms',
      'limit',
    ],
    rows,
  };
}

function chunkTable(names, chunks) {
  const rows = names.map((name) => ({
    cells: [
      name,
      digits(chunks[name].best),
      spread(chunks[name]),
      times(chunks[name].best / chunks[RELAY].best),
      name === 'Holdfast' ? `≥ ${MIN_CHUNKS.toLocaleString('en-US')}` : '',
    ],
    ...(name === 'Holdfast' && { budgets: { 'proxy-chunks': chunks[name].best >= MIN_CHUNKS } }),
  }));
  const columns = ['through', 'chunks / s', 'spread', 'of the relay', 'limit'];
  return { title: 'One stream of 4,900 chunks', columns, rows };
}

function requestTable(requests) {
  return {
    title:
      'First token of an agent in the middle of its work: ten tools, twenty calls and their results',
    columns: [
      'what is done',
      'through the relay ms',
      'through Holdfast ms',
      'spread',
      'added ms',
      'limit',
    ],
    rows: requests.map(({ name, ms, relayMs, isUsual }) => ({
      cells: [
        name,
        digits(relayMs),
        digits(ms.best),
        spread(ms),
        digits(ms.best - relayMs),
        isUsual ? `≤ ${MAX_ADDED_MS} ms` : '',
      ],
      ...(isUsual && { budgets: { 'proxy-first-token': ms.best - relayMs <= MAX_ADDED_MS } }),
    })),
  };
}

function heldTable(held) {
  return {
    title: 'A call in text, in an answer of 100 chunks, one every 2 ms or more',
    columns: ['the call is', 'sent at once ms', 'held ms', 'spread', 'added ms'],
    rows: held.map((row) => ({
      cells: [
        row.name === 'call-first' ? 'first' : 'last',
        digits(row.sent.best),
        digits(row.held.best),
        spread(row.held),
        digits(row.held.best - row.sent.best),
      ],
    })),
  };
}

function memoryTable({ before, after }) {
  const growth = after / before;
  return {
    title: 'Memory of Holdfast after collection',
    columns: ['after 2,000 streams MB', 'after 10,000 streams MB', 'growth', 'limit'],
    rows: [
      {
        cells: [digits(before / 1e6), digits(after / 1e6), times(growth), `≤ ${MAX_GROWTH}x`],
        budgets: { 'proxy-memory': growth <= MAX_GROWTH },
      },
    ],
  };
}

function figuresOf({ names, streams, first, chunks, requests, held }) {
  const of = (name) => (name === 'Holdfast' ? OURS : name);
  return [
    ...names.flatMap((name) => [
      figure('100-chunk streams', of(name), 'streams/s', streams[name].best, streams[name].p90),
      figure('first token', of(name), 'ms', first[name].best, first[name].p90),
      figure('one long stream', of(name), 'chunks/s', chunks[name].best, chunks[name].p90),
    ]),
    ...requests.map(({ name, ms }) => figure(`first token: ${name}`, OURS, 'ms', ms.best, ms.p90)),
    ...held.map((row) => figure(`held: ${row.name}`, OURS, 'ms', row.held.best, row.held.p90)),
  ];
}

async function measureMemory({ targets, memory }) {
  await streamsPerSecond(targets.Holdfast, 2000);
  const { rss: before } = await memory();
  await streamsPerSecond(targets.Holdfast, 8000);
  const { rss: after } = await memory();
  return { before, after };
}
