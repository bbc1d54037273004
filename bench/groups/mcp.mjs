import { digits, times } from '../harness/table.mjs';
import { callAtOnce } from '../mcp/calls.mjs';
import { connectStdio, eras } from '../mcp/connect.mjs';
import { overStdio } from '../mcp/contestants.mjs';
import {
  callFigures,
  callsTable,
  closeAll,
  contestant,
  HOLDFAST,
  IN_FLIGHT,
  named,
  numbersOf,
  takeTurns,
} from '../mcp/take-turns.mjs';

export const about =
  "Calls of an echo tool by the SDK's client over stdio, in both eras of the protocol: the server alone, behind two bare pass-throughs on the SDK's `Server` and `Client` (one with the SDK's own handlers, as its documentation has it, and one that looks at nothing), and behind `holdfast mcp`. Each is a process of its own; they take turns, and the best turn of each counts: the lowest median time of calls one by one, the most calls in a second one by one and with 32 in flight. Budgets: at most 1 ms added to the median call, and at least 85 % of the calls of the pass-through with the SDK's own handlers; memory after 10,000 calls within 10 % of that after 2,000.";

const TURN = { oneByOne: 60, atOnce: 320, warmUp: 2000 };
const MAX_ADDED_MS = 1;
const MIN_SHARE = 0.85;
const MAX_GROWTH = 1.1;
const RAW = 'SDK pass-through, raw';
const TYPED = 'SDK pass-through, typed';

function judge(targets) {
  const ours = named(targets, HOLDFAST);
  const share = (what) => ours[what].best / named(targets, TYPED)[what].best;
  const added = ours.p50.best - named(targets, 'direct').p50.best;
  return {
    'mcp-added': added <= MAX_ADDED_MS,
    'mcp-share': share('oneByOne') >= MIN_SHARE && share('atOnce') >= MIN_SHARE,
  };
}

const isMet = (targets) => Object.values(judge(targets)).every(Boolean);

async function measure(era, turns) {
  const targets = [];
  try {
    for (const [name, args] of Object.entries(overStdio))
      targets.push(contestant({ name, ...(await connectStdio(args, era)) }));
    await takeTurns(targets, TURN, turns, isMet);
    return targets;
  } finally {
    await closeAll(targets);
  }
}

/** Bytes after 2,000 and after 10,000 calls, garbage collected. */
async function measureMemory(calls) {
  const measured = [];
  for (const name of [RAW, HOLDFAST]) {
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

/** `turns` and `calls` may be fewer, to see whether it works at all. */
export async function run({ turns = 30, calls = 10_000 } = {}) {
  const stdio = {};
  for (const era of Object.keys(eras)) stdio[era] = await measure(era, turns);
  const memory = await measureMemory(calls);
  const all = Object.entries(stdio);
  const limit = `≤ ${MAX_ADDED_MS} ms; ≥ ${MIN_SHARE}x`;
  return {
    tables: [
      ...all.map(([era, targets]) =>
        callsTable({ title: `Over stdio, ${era}`, targets, peers: [TYPED, RAW], limit, judge }),
      ),
      memoryTable(memory),
    ],
    figures: all.flatMap(([era, targets]) => callFigures('stdio', era, targets)),
    results: {
      stdio: Object.fromEntries(all.map(([era, targets]) => [era, numbersOf(targets)])),
      memory,
    },
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
        name === HOLDFAST ? `≤ ${MAX_GROWTH}x` : '',
      ],
      ...(name === HOLDFAST && { budgets: { 'mcp-memory': after / before <= MAX_GROWTH } }),
    })),
  };
}
