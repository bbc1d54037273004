import { digits, times } from '../harness/table.mjs';
import { callAtOnce, callOneByOne } from '../mcp/calls.mjs';
import { connectHttp, connectStdio, eras } from '../mcp/connect.mjs';
import { overHttp, overStdio } from '../mcp/contestants.mjs';

export const about =
  "Calls of an echo tool by the SDK's client, in both eras of the protocol. Over stdio: the server alone, behind two bare pass-throughs on the SDK's `Server` and `Client` (one with the SDK's own handlers, as its documentation has it, and one that looks at nothing), and behind `holdfast mcp`. Over Streamable HTTP: a server of the SDK alone, and the stdio server behind the newest mcp-proxy and behind `holdfast mcp --listen`. Each is a process of its own; they take turns, and the best turn of each counts: the lowest median time of calls one by one, the most calls in a second one by one and with 32 in flight. Start-up is the best of several, from nothing to the first answer to `tools/list`. Budgets: over stdio at most 1 ms added to the median call, and at least 85 % of the calls of the pass-through with the SDK's own handlers; over HTTP more calls than mcp-proxy; memory after 10,000 calls within 10 % of that after 2,000.";

const IN_FLIGHT = 32;
/** Calls in a turn, and before the first; those over HTTP take several times as long. */
const STDIO_TURN = { oneByOne: 60, atOnce: 320, warmUp: 2000 };
const HTTP_TURN = { oneByOne: 30, atOnce: 128, warmUp: 300 };
const MAX_ADDED_MS = 1;
const MIN_SHARE = 0.85;
const MAX_GROWTH = 1.1;
const RAW = 'SDK pass-through, raw';
const TYPED = 'SDK pass-through, typed';

/** Of each contestant and era: the best there was. */
function bestOf(target) {
  return { ...target, p50: Infinity, oneByOne: 0, atOnce: 0 };
}

async function playTurn(target, turn) {
  const { p50, perSecond } = await callOneByOne(target.client, turn.oneByOne);
  target.p50 = Math.min(target.p50, p50);
  target.oneByOne = Math.max(target.oneByOne, perSecond);
  const atOnce = await callAtOnce(target.client, turn.atOnce, IN_FLIGHT);
  target.atOnce = Math.max(target.atOnce, atOnce);
}

/** At least `turns` each, and up to twice as many while a budget looks missed: the best can only get better. */
async function takeTurns(targets, turn, turns, isMet) {
  for (const { client } of targets) await callAtOnce(client, turn.warmUp, IN_FLIGHT);
  for (let round = 0; round < turns || (round < turns * 2 && !isMet(targets)); round++)
    for (let at = 0; at < targets.length; at++)
      await playTurn(targets[(at + round) % targets.length], turn);
}

const named = (targets, name) => targets.find((target) => target.name === name);

function meetsStdio(targets) {
  const ours = named(targets, 'Holdfast');
  const share = (what) => ours[what] / named(targets, TYPED)[what];
  const added = ours.p50 - named(targets, 'direct').p50;
  return added <= MAX_ADDED_MS && share('oneByOne') >= MIN_SHARE && share('atOnce') >= MIN_SHARE;
}

function meetsHttp(targets) {
  const ours = named(targets, 'Holdfast');
  const theirs = named(targets, 'mcp-proxy');
  return ours.oneByOne > theirs.oneByOne && ours.atOnce > theirs.atOnce;
}

async function measureStdio(era, turns) {
  const targets = [];
  try {
    for (const [name, args] of Object.entries(overStdio))
      targets.push(bestOf({ name, ...(await connectStdio(args, era)) }));
    await takeTurns(targets, STDIO_TURN, turns, meetsStdio);
    return targets;
  } finally {
    await closeAll(targets);
  }
}

async function measureHttp(era, turns) {
  const targets = [];
  const servers = [];
  try {
    for (const [name, start] of Object.entries(overHttp)) {
      const server = await start();
      servers.push(server);
      targets.push(bestOf({ name, ...(await connectHttp(server.url, era)) }));
    }
    await takeTurns(targets, HTTP_TURN, turns, meetsHttp);
    return targets;
  } finally {
    await closeAll(targets);
    for (const { stop } of servers) stop();
  }
}

async function closeAll(targets) {
  await Promise.all(targets.map(({ close }) => close()));
}

/** Milliseconds from nothing to the first list of tools; fresh processes, taking turns. */
async function measureStarts(starts) {
  const stdio = Object.entries(overStdio).map(([name, args]) => ({
    name: `${name}, stdio`,
    best: Infinity,
    begin: () => connectStdio(args, '2025-11-25'),
  }));
  const http = Object.entries(overHttp).map(([name, start]) => ({
    name: `${name}, HTTP`,
    best: Infinity,
    begin: () => beginHttp(start),
  }));
  const contestants = [...stdio, ...http];
  for (let turn = 0; turn < starts; turn++)
    for (const contestant of contestants) {
      const start = performance.now();
      const { client, close } = await contestant.begin();
      await client.listTools();
      contestant.best = Math.min(contestant.best, performance.now() - start);
      await close();
    }
  return contestants;
}

async function beginHttp(start) {
  const { url, stop } = await start();
  const { client, close } = await connectHttp(url, '2025-11-25');
  return { client, close: () => close().then(stop) };
}

/** Bytes after 2,000 and after 10,000 calls, garbage collected. */
async function measureMemory(calls) {
  const measured = [];
  for (const name of [RAW, 'Holdfast']) {
    const { client, memory, close } = await connectStdio(overStdio[name], '2025-11-25');
    try {
      await callAtOnce(client, calls / 5, IN_FLIGHT);
      const { rss: before } = await memory();
      await callAtOnce(client, calls - calls / 5, IN_FLIGHT);
      const { rss: after } = await memory();
      measured.push({ name, before, after });
    } finally {
      await close();
    }
  }
  return measured;
}

/** `turns`, `starts` and `calls` may be fewer, to see whether it works at all. */
export async function run({ turns = 30, starts = 7, calls = 10_000 } = {}) {
  const stdio = {};
  const http = {};
  for (const era of Object.keys(eras)) {
    stdio[era] = await measureStdio(era, turns);
    http[era] = await measureHttp(era, turns);
  }
  const started = await measureStarts(starts);
  const memory = await measureMemory(calls);
  return {
    tables: [
      ...Object.entries(stdio).map(([era, targets]) => stdioTable(era, targets)),
      ...Object.entries(http).map(([era, targets]) => httpTable(era, targets)),
      startTable(started),
      memoryTable(memory),
    ],
    results: { stdio: numbers(stdio), http: numbers(http), started: started.map(told), memory },
  };
}

function stdioTable(era, targets) {
  const limit = `≤ ${MAX_ADDED_MS} ms; ≥ ${MIN_SHARE}x`;
  return callsTable(`Over stdio, ${era}`, targets, RAW, limit, meetsStdio);
}

function httpTable(era, targets) {
  return callsTable(`Over Streamable HTTP, ${era}`, targets, 'mcp-proxy', '> mcp-proxy', meetsHttp);
}

function callsTable(title, targets, peer, limit, isMet) {
  const direct = named(targets, 'direct');
  const beside = named(targets, peer);
  return {
    title,
    columns: [
      'through',
      'p50 ms',
      'added ms',
      'calls / s, one by one',
      `of ${peer}`,
      `calls / s, ${IN_FLIGHT} in flight`,
      `of ${peer}`,
      'of direct',
      'limit',
    ],
    rows: targets.map((target) => ({
      cells: [
        target.name,
        digits(target.p50),
        target === direct ? '' : digits(target.p50 - direct.p50),
        digits(target.oneByOne),
        times(target.oneByOne / beside.oneByOne),
        digits(target.atOnce),
        times(target.atOnce / beside.atOnce),
        times(target.atOnce / direct.atOnce),
        target.name === 'Holdfast' ? limit : '',
      ],
      pass: target.name === 'Holdfast' ? isMet(targets) : undefined,
    })),
  };
}

function startTable(started) {
  return {
    title: 'From nothing to the first list of tools',
    columns: ['through', 'ms'],
    rows: started.map(({ name, best }) => ({ cells: [name, digits(best)] })),
  };
}

function memoryTable(memory) {
  return {
    title: 'Memory after collection, over stdio',
    columns: ['of', 'after 2,000 calls MB', 'after 10,000 calls MB', 'growth', 'limit'],
    rows: memory.map(({ name, before, after }) => ({
      cells: [
        name,
        digits(before / 1e6),
        digits(after / 1e6),
        times(after / before),
        name === 'Holdfast' ? `≤ ${MAX_GROWTH}x` : '',
      ],
      pass: name === 'Holdfast' ? after / before <= MAX_GROWTH : undefined,
    })),
  };
}

const told = ({ name, best }) => ({ name, best });

function numbers(byEra) {
  const pick = ({ name, p50, oneByOne, atOnce }) => ({ name, p50, oneByOne, atOnce });
  return Object.fromEntries(
    Object.entries(byEra).map(([era, targets]) => [era, targets.map(pick)]),
  );
}
