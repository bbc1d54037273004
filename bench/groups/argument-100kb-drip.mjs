import { createToolCallStream } from '../core.mjs';
import { argumentKinds, toJson, writeCode } from '../data/json-documents.mjs';
import { dripReaders } from '../drip-readers.mjs';
import { quantile } from '../harness/alternate.mjs';
import { figure, OURS } from '../harness/figures.mjs';
import { chunksOf, flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, mark, spread, times } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';

export const about =
  'A call with a 100 KB argument in chunks of 4 characters, with a consumer that takes every fragment. Budgets: 10 ms in all; the last tenth of the chunks costs at most 1.5 times the first. The last four or five chunks, from the end of the arguments to the end of the call, where the arguments become a value, are told apart as `end`. Then an argument of 1 KB, 10 KB, 100 KB and 1 MB, one string of source code: budget 16 times for ten times as much, which is 2.3 for each doubling. `@ai-sdk-tool/parser`, told that it is Hermes, and partial-json, which reads all that has come with each chunk, as it is used, have the same chunks; they read 100 KB once, and 1 MB not at all. Budget: 100 times the speed of `@ai-sdk-tool/parser`.';

const MAX_MS = 10;
const MAX_LAST_TO_FIRST = 1.5;
const MIN_RATIO = 100;
const MAX_GROWTH = 16;
const GROWTH = { '1 KB': 900, '10 KB': 9_400, '100 KB': 94_000, '1 MB': 940_000 };
const GROWTH_TURNS = 12;
/** From here on a peer takes seconds. */
const LONG = GROWTH['100 KB'];
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
    median: quantile(totals, 0.5),
    p90: quantile(totals, 0.9),
    fragments: length,
  };
}

function chunksOfCall(args) {
  const call = toJson({ name: 'write_file', arguments: args });
  return chunksOf(flat(`I will write it.\n<tool_call>${call}</tool_call>`), 4);
}

/** Milliseconds of one run through a reader, and whether it read the arguments. */
async function timeReader({ read }, { chunks, args }) {
  const start = performance.now();
  const got = await read(chunks);
  return { ms: performance.now() - start, isRight: sameValue(got, args) };
}

/**
 * Each size ten times the one before. The readers take turns, up to where a peer takes seconds: that comes last and
 * once, because it leaves a heap behind that everything after it would pay for.
 */
async function measureGrowth(skipSlow) {
  const grown = dripReaders.map((reader) => ({ ...reader, sizes: {}, isRight: true }));
  const inputs = Object.entries(GROWTH).map(([size, length]) => {
    const args = { path: 'src/main.ts', content: writeCode(5, length) };
    return { size, isLong: length >= LONG, args, chunks: chunksOfCall(args) };
  });
  const play = async (reader, input) => {
    const { ms, isRight } = await timeReader(reader, input);
    (reader.sizes[input.size] ??= new Turns()).add(ms);
    reader.isRight &&= isRight;
  };
  for (const input of inputs) {
    const able = grown.filter(({ isSlow = false }) => !isSlow || !input.isLong);
    for (let turn = 0; turn < GROWTH_TURNS; turn++)
      for (const reader of able) await play(reader, input);
  }
  // A minimum can only come down to the truth.
  const [ours] = grown;
  for (let extra = 0; extra < GROWTH_TURNS * 3 && dearest(ours) > MAX_GROWTH; extra++)
    for (const input of inputs) await play(ours, input);
  const dear = inputs.find(({ isLong }) => isLong);
  for (const reader of skipSlow ? [] : grown) if (reader.isSlow) await play(reader, dear);
  return grown;
}

/** The most that any tenfold costs. */
function dearest({ sizes }) {
  const all = Object.values(sizes).map(({ best }) => best);
  return Math.max(...all.slice(1).map((one, at) => one / all[at]));
}

function growthTable(grown) {
  const [ours] = grown;
  const sizes = Object.keys(GROWTH);
  const rows = grown.map((reader) => {
    const all = sizes.map((size) => reader.sizes[size]?.best);
    const worst = dearest(reader);
    const last = sizes.findLast((size) => reader.sizes[size] !== undefined);
    const ratio = reader.sizes[last].best / ours.sizes[last].best;
    const isPeer = reader.name === '@ai-sdk-tool/parser';
    return {
      cells: [
        mark(reader, reader.name),
        ...all.map((one) => (one === undefined ? '' : digits(one))),
        times(worst),
        reader === ours ? `≤ ${MAX_GROWTH}x` : '',
        reader === ours ? '' : `${times(ratio)} at ${last}`,
        isPeer ? `≥ ${MIN_RATIO}x` : '',
      ],
      ...(reader === ours && {
        budgets: { 'growth-input': reader.isRight && worst <= MAX_GROWTH },
      }),
      ...(isPeer && { budgets: { 'drip-peer': ratio >= MIN_RATIO } }),
    };
  });
  const columns = [
    'reader',
    ...sizes.map((size) => `${size} ms`),
    'dearest ten times',
    'limit',
    'of ours',
    'limit ',
  ];
  return { title: 'Ten times the argument, 4 characters at a time', columns, rows };
}

export async function run({ skipSlow }) {
  const rows = [];
  const figures = [];
  const results = {};
  for (const [name, { args, maxMs }] of Object.entries(kinds)) {
    const chunks = chunksOfCall(args);
    const isRight = isReadRight(chunks, args);
    const ours = measure(chunks);
    const lastToFirst = ours.tenths[9] / ours.tenths[0];
    results[name] = { ...ours, isRight };
    figures.push(figure(`100 KB, ${name}`, OURS, 'ms', ours.total, ours.p90));
    rows.push({
      cells: [
        isRight ? name : `${name} WRONG`,
        chunks.length.toLocaleString('en-US'),
        digits(ours.total),
        digits(ours.median),
        spread({ best: ours.total, p90: ours.p90 }),
        digits((ours.total * 1e6) / chunks.length),
        digits(ours.tenths[0]),
        digits(ours.tenths[9]),
        times(lastToFirst),
        digits(ours.ending),
      ],
      budgets: {
        'drip-total': isRight && ours.total <= maxMs,
        'drip-flat': isRight && lastToFirst <= MAX_LAST_TO_FIRST,
      },
    });
  }
  const grown = await measureGrowth(skipSlow);
  for (const { name, sizes } of grown)
    for (const [size, { best, p90 }] of Object.entries(sizes))
      figures.push(figure(`${size} in chunks of 4`, name, 'ms', best, p90));
  results.growth = grown.map(({ name, sizes, isRight }) => ({ name, sizes, isRight }));
  const columns = [
    'argument',
    'chunks',
    'min ms',
    'median ms',
    'spread',
    'ns / chunk',
    'first tenth ms',
    'last tenth ms',
    'last / first',
    'end ms',
  ];
  const tables = [
    { title: 'A 100 KB argument, 4 characters at a time', columns, rows },
    growthTable(grown),
  ];
  return { tables, figures, results };
}
