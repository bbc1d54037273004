import { hermesProtocol } from '@ai-sdk-tool/parser';
import { createToolCallStream } from '../core.mjs';
import { argumentKinds, toJson } from '../data/json-documents.mjs';
import { chunksOf, flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, times } from '../harness/table.mjs';

export const about =
  'A call with a 100 KB argument in chunks of 4 characters, with a consumer that takes every fragment. Budgets: 10 ms in all; the last tenth of the chunks costs at most 1.5 times the first. The last four or five chunks, from the end of the arguments to the end of the call, where the arguments become a value, are told apart as `end`. `@ai-sdk-tool/parser` reads the same chunks once, told that they are Hermes; budget: 100 times its speed.';

const MAX_MS = 10;
const MAX_LAST_TO_FIRST = 1.5;
const MIN_RATIO = 100;
const RUNS = 60;
/** While the budget looks missed, it runs on: a minimum can only come down to the truth. */
const MAX_RUNS = 600;

const kinds = {
  'one string of source code': { args: argumentKinds['100 KB string'](5), maxMs: MAX_MS },
  'structured rows': { args: argumentKinds['100 KB rows'](5), maxMs: MAX_MS },
};

/** What follows the arguments. */
const CLOSING = '}}</tool_call>';

/** One run: the time of each tenth of the chunks of the arguments, of those that end the call, and of all. */
function drip(chunks, onEvent) {
  const stream = createToolCallStream({ onEvent });
  const tenths = [];
  const body = chunks.length - Math.ceil(CLOSING.length / 4) - 1;
  const start = performance.now();
  let before = start;
  for (let tenth = 1, at = 0; tenth <= 10; tenth++) {
    const until = Math.floor((body * tenth) / 10);
    for (; at < until; at++) stream.feed(chunks[at]);
    const now = performance.now();
    tenths.push(now - before);
    before = now;
  }
  for (let at = body; at < chunks.length; at++) stream.feed(chunks[at]);
  stream.end();
  const end = performance.now();
  return { tenths, ending: end - before, total: end - start };
}

function isReadRight(chunks, args) {
  const fragments = [];
  let call;
  drip(chunks, (event) => {
    if (event.type === 'call-delta') fragments.push(event.fragment);
    if (event.type === 'call-end') call = event.call;
  });
  return (
    call !== undefined &&
    sameValue(call.arguments, args) &&
    sameValue(JSON.parse(fragments.join('')), args)
  );
}

function measure(chunks) {
  let length = 0;
  const onEvent = (event) => {
    if (event.type === 'call-delta') length += event.fragment.length;
  };
  const runs = [];
  let fastest = Infinity;
  while (runs.length < RUNS || (fastest > MAX_MS && runs.length < MAX_RUNS)) {
    const run = drip(chunks, onEvent);
    fastest = Math.min(fastest, run.total);
    runs.push(run);
  }
  const least = (read) => Math.min(...runs.map(read));
  const tenths = Array.from({ length: 10 }, (_, tenth) => least((one) => one.tenths[tenth]));
  const totals = runs.map(({ total }) => total).toSorted((a, b) => a - b);
  return {
    tenths,
    ending: least(({ ending }) => ending),
    total: totals[0],
    median: totals[totals.length >> 1],
    fragments: length,
  };
}

async function dripThroughPeer(chunks, args) {
  const tools = [{ type: 'function', name: 'write_file', inputSchema: { type: 'object' } }];
  const { writable, readable } = hermesProtocol().createStreamParser({ tools, options: {} });
  const found = [];
  const writer = writable.getWriter();
  const start = performance.now();
  const reading = (async () => {
    for await (const part of readable) if (part.type === 'tool-call') found.push(part);
  })();
  for (const chunk of chunks) await writer.write({ type: 'text-delta', id: '1', delta: chunk });
  await writer.write({ type: 'finish', finishReason: 'stop', usage: {} });
  await writer.close();
  await reading;
  const total = performance.now() - start;
  return { total, isRight: found.length === 1 && sameValue(JSON.parse(found[0].input), args) };
}

function chunksOfCall(args) {
  const call = toJson({ name: 'write_file', arguments: args });
  return chunksOf(flat(`I will write it.\n<tool_call>${call}</tool_call>`), 4);
}

/** One run of the peer takes half a minute, so it reads one of the two, once. */
async function measurePeer(results) {
  const [name, { args }] = Object.entries(kinds)[0];
  const ours = results[name];
  const peer = await dripThroughPeer(chunksOfCall(args), args);
  ours.peer = peer;
  return {
    cells: [
      name,
      digits(ours.total),
      `${digits(peer.total)}${peer.isRight ? '' : ' WRONG'}`,
      times(peer.total / ours.total),
      `≥ ${MIN_RATIO}x`,
    ],
    pass: peer.total / ours.total >= MIN_RATIO,
  };
}

export async function run({ skipSlow }) {
  const rows = [];
  const results = {};
  const peerRows = [];
  for (const [name, { args, maxMs }] of Object.entries(kinds)) {
    const chunks = chunksOfCall(args);
    const isRight = isReadRight(chunks, args);
    const ours = measure(chunks);
    const lastToFirst = ours.tenths[9] / ours.tenths[0];
    results[name] = { ...ours, isRight };
    rows.push({
      cells: [
        isRight ? name : `${name} WRONG`,
        chunks.length.toLocaleString('en-US'),
        digits(ours.total),
        digits(ours.median),
        digits((ours.total * 1e6) / chunks.length),
        digits(ours.tenths[0]),
        digits(ours.tenths[9]),
        times(lastToFirst),
        digits(ours.ending),
      ],
      pass: isRight && ours.total <= maxMs && lastToFirst <= MAX_LAST_TO_FIRST,
    });
  }
  // Last, because it leaves a heap behind that everything after it would pay for.
  if (!skipSlow) peerRows.push(await measurePeer(results));
  const columns = [
    'argument',
    'chunks',
    'min ms',
    'median ms',
    'ns / chunk',
    'first tenth ms',
    'last tenth ms',
    'last / first',
    'end ms',
  ];
  const tables = [{ title: 'A 100 KB argument, 4 characters at a time', columns, rows }];
  if (peerRows.length > 0) {
    tables.push({
      title: 'The same through @ai-sdk-tool/parser, once',
      columns: ['argument', 'ours ms', 'peer ms', 'peer / ours', 'limit'],
      rows: peerRows,
    });
  }
  return { tables, results };
}
