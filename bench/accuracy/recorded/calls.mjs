import { createToolCallStream, parseToolCalls } from '../../core.mjs';
import { areAccepted } from './accepted.mjs';
import { percent, sumOf } from './figures.mjs';
import { isSameJson } from './same-json.mjs';

const about =
  "What models wrote, read without being told the format. Agreement: of the answers in which the benchmark's own decoder found calls, how many are read as the same calls. Right: of the answers with an answer set, how many are among the accepted ones, and how many are with their own decoder. Lost: right with theirs and not with ours; won: the other way round. A call where theirs finds none is no error by itself: some decoders do not read fences and tags. Of every seventh answer, the calls streamed in chunks of 3 characters are compared with those of the whole text. A lossy or incomplete call counts as none.";

/** Of every this many answers one is streamed. */
const STREAMED = 7;
const CHUNK = 3;

export function measureRecordedCalls(sources, tools) {
  const results = sources.map(({ source, rows }) => ({ source, ...countSource(rows(), tools) }));
  results.push({ source: 'all', ...sumOf(results) });
  const columns = [
    'source',
    'answers',
    'agreement',
    'right',
    'right with theirs',
    'lost',
    'won',
    'a call where theirs finds none',
    'streamed differs',
    'threw',
    'lossy',
  ];
  const rows = results.map((one) => ({
    cells: [
      one.source,
      one.answers,
      percent(one.agreed, one.official),
      percent(one.right, one.judged),
      percent(one.theirs, one.judged),
      one.lost,
      one.won,
      `${one.falseCalls} of ${one.callless}`,
      one.streamedDiffers,
      one.threw,
      one.lossy,
    ],
  }));
  const tables = [{ title: 'Calls', columns, rows }];
  return { id: 'recorded-calls', title: 'Calls of real models', about, tables, results };
}

const NOTHING = {
  answers: 0,
  agreed: 0,
  official: 0,
  right: 0,
  theirs: 0,
  judged: 0,
  lost: 0,
  won: 0,
  falseCalls: 0,
  callless: 0,
  streamedDiffers: 0,
  threw: 0,
  lossy: 0,
};

function countSource(rows, tools) {
  const counts = { ...NOTHING };
  for (const row of rows) {
    counts.answers++;
    const offered = row.tools === null ? undefined : tools.get(row.tools);
    const options = offered === undefined ? {} : { tools: offered };
    try {
      const read = parseToolCalls(row.raw, options).calls;
      const calls = usable(read);
      counts.lossy += read.length - calls.length;
      if (counts.answers % STREAMED === 0 && !isSameJson(streamed(row.raw, options), calls))
        counts.streamedDiffers++;
      judge(row, calls, counts);
    } catch {
      counts.threw++;
    }
  }
  return counts;
}

function judge({ official, accepted, verdict, none }, calls, counts) {
  const isPassed = verdict === 'pass';
  if (official?.length > 0) {
    counts.official++;
    counts.agreed += Number(isSameJson(calls, usable(official)));
  } else if (official?.length === 0 || (none && isPassed)) {
    counts.callless++;
    counts.falseCalls += Number(calls.length > 0);
  }
  if (!(accepted?.length > 0)) return;
  const isRight = areAccepted(calls, accepted);
  counts.judged++;
  counts.right += Number(isRight);
  counts.theirs += Number(isPassed);
  counts.lost += Number(isPassed && !isRight);
  counts.won += Number(isRight && !isPassed);
}

function streamed(raw, options) {
  const calls = [];
  const onEvent = (event) => {
    if (event.type === 'call-end') calls.push(event.call);
  };
  const stream = createToolCallStream({ ...options, onEvent });
  for (let at = 0; at < raw.length; at += CHUNK) stream.feed(raw.slice(at, at + CHUNK));
  stream.end();
  return usable(calls);
}

/** A program that is careful does not run the others. */
function usable(calls) {
  return calls
    .filter(({ complete, lossy }) => complete !== false && lossy !== true)
    .map(({ name, arguments: args }) => ({ name, arguments: args ?? {} }));
}
