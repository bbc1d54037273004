import { Agent, request } from 'undici';
import { startAll } from '../proxy/processes.mjs';
import { conversation } from '../proxy/conversations.mjs';
import { digits, times } from '../harness/table.mjs';

export const about =
  'Streams of 100 chunks over loopback, from a server that sends them as fast as they are taken: through a bare `node:http` relay that looks at nothing, through Holdfast with one tool offered, and through the newest Portkey gateway, each in a process of its own. Contestants take turns; the best turn of each counts: the most streams per second, and the lowest median time to the first token, one request at a time. Budgets: at least 60 % of the relay and ahead of Portkey; first token at most 1 ms later than through the relay, for a short request and for that of an agent in the middle of its work (in front of a model that thinks for a millisecond, as what is done meanwhile costs nobody time; turns in which a tool has failed twice, and prompts with tools in them, are shown beside); memory after 10,000 streams within 10 % of that after 2,000.';

const CONCURRENCY = 16;
const TURN_STREAMS = 160;
const TURNS = 12;
const TOKEN_TURNS = 30;
const TURN_TOKENS = 15;
const WARM_UP = 300;
const MIN_SHARE = 0.6;
const MAX_ADDED_MS = 1;
const MAX_GROWTH = 1.1;

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

/** The lowest median of each, taking turns. */
async function firstTokens(targets) {
  const names = Object.keys(targets);
  // A gateway that runs for a day has long been compiled.
  for (const name of names)
    for (let count = 0; count < WARM_UP; count++) await firstToken(targets[name]);
  const first = Object.fromEntries(names.map((name) => [name, Infinity]));
  for (let turn = 0; turn < TOKEN_TURNS; turn++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + turn) % names.length];
      first[name] = Math.min(first[name], await medianFirstToken(targets[name]));
    }
  }
  return first;
}

/** What is done to the request of an agent, beside the relay that passes on the same bytes. */
async function measureRequests({ targets, variants }) {
  const relay = targets['bare node:http relay'];
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
    relayMs: first[`relay: ${name}`],
    isUsual,
  }));
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
    const best = Object.fromEntries(names.map((name) => [name, 0]));
    for (const name of names) await streamsPerSecond(targets[name], TURN_STREAMS);
    for (let turn = 0; turn < TURNS; turn++) {
      for (let at = 0; at < names.length; at++) {
        const name = names[(at + turn) % names.length];
        best[name] = Math.max(best[name], await streamsPerSecond(targets[name], TURN_STREAMS));
      }
    }
    const first = await firstTokens(targets);
    const requests = await measureRequests(processes);
    const relay = 'bare node:http relay';
    const memory = await measureMemory(processes);
    const isFast = best.Holdfast >= MIN_SHARE * best[relay] && best.Holdfast > best.Portkey;
    const added = first.Holdfast - first[relay];
    const rows = names.map((name) => ({
      cells: [
        name,
        digits(best[name]),
        times(best[name] / best[relay]),
        digits(first[name]),
        digits(first[name] - first[relay]),
        name === 'Holdfast' ? `≥ ${MIN_SHARE}x, > Portkey; ≤ ${MAX_ADDED_MS} ms` : '',
      ],
      pass: name === 'Holdfast' ? isFast && added <= MAX_ADDED_MS : undefined,
    }));
    const growth = memory.after / memory.before;
    return {
      tables: [
        {
          title: '100-chunk streams, 16 at a time; first token, one at a time',
          columns: [
            'through',
            'streams / s',
            'of the relay',
            'first token ms',
            'added ms',
            'limit',
          ],
          rows,
        },
        {
          title:
            'First token of an agent in the middle of its work: ten tools, twenty calls and their results',
          columns: [
            'what is done',
            'through the relay ms',
            'through Holdfast ms',
            'added ms',
            'limit',
          ],
          rows: requests.map(({ name, ms, relayMs, isUsual }) => ({
            cells: [
              name,
              digits(relayMs),
              digits(ms),
              digits(ms - relayMs),
              isUsual ? `≤ ${MAX_ADDED_MS} ms` : '',
            ],
            pass: isUsual ? ms - relayMs <= MAX_ADDED_MS : undefined,
          })),
        },
        {
          title: 'Memory of Holdfast after collection',
          columns: ['after 2,000 streams MB', 'after 10,000 streams MB', 'growth', 'limit'],
          rows: [
            {
              cells: [
                digits(memory.before / 1e6),
                digits(memory.after / 1e6),
                times(growth),
                `≤ ${MAX_GROWTH}x`,
              ],
              pass: growth <= MAX_GROWTH,
            },
          ],
        },
      ],
      results: { best, first, requests, memory },
    };
  } finally {
    processes.stop();
    await dispatcher.destroy();
  }
}

async function measureMemory({ targets, memory }) {
  await streamsPerSecond(targets.Holdfast, 2000);
  const { rss: before } = await memory();
  await streamsPerSecond(targets.Holdfast, 8000);
  const { rss: after } = await memory();
  return { before, after };
}
