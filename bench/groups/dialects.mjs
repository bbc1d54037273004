import {
  CommentaryToolParser,
  createDefaultRegistry,
  CustomToolParser,
  FallbackParser,
  OpenAIToolParser,
  ParserRegistry,
  QwenToolParser,
} from '../core.mjs';
import { writeProse } from '../data/prose.mjs';
import { around } from '../data/responses.mjs';
import { alternate } from '../harness/alternate.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { chunksOf } from '../harness/flat.mjs';
import { digits, mark, spreadOf, times } from '../harness/table.mjs';

export const about =
  'All dialects registered, nothing told about which it is. First the sample of every dialect in an answer of 1 KB; budget: 20 µs median. Then 1 MB of text without a call, in chunks of 4 KB, through the five seed formats and through all; budget: all cost at most 1.3 times as much on plain prose.';

const BUDGET_US = 20;
const MAX_RATIO = 1.3;

const all = createDefaultRegistry();
const five = new ParserRegistry()
  .register(new QwenToolParser(), 110)
  .register(new OpenAIToolParser(), 100)
  .register(new CommentaryToolParser(), 50)
  .register(new CustomToolParser(), 25)
  .register(new FallbackParser(), 1);

function streamThrough(registry, chunks) {
  let told = 0;
  const stream = registry.createStream({
    onEvent: (event) => {
      told += event.type === 'text-delta' ? event.text.length : 0;
    },
  });
  for (const chunk of chunks) stream.feed(chunk);
  stream.end();
  return told;
}

/** One answer of 1 KB per dialect. A dialect that only counts where a text begins stands there. */
function samples() {
  const properties = { path: { type: 'string' }, lines: { type: 'integer' } };
  const tools = [{ name: 'read_file', parameters: { properties } }];
  return all
    .list()
    .filter(({ parser }) => typeof parser.sample === 'string' && parser.sample !== '')
    .map(({ name, parser }) => {
      const amid = around(parser.sample);
      const isRead = (text, options) =>
        all.parse(text, options).calls.some(({ format }) => format === name);
      const text = [amid, parser.sample + amid].find((one) => isRead(one)) ?? amid;
      const options = isRead(text) ? {} : { tools };
      return {
        name,
        run: () => all.parse(text, options),
        isRight: ({ calls }) => calls.some(({ format }) => format === name),
      };
    });
}

function measureSamples() {
  const contestants = samples();
  const results = alternate(contestants, {
    batches: 30,
    settled: (now) => contestants.every(({ name }) => now[name].median <= BUDGET_US),
  });
  const rows = contestants.map(({ name }) => {
    const result = results[name];
    return {
      cells: [
        mark(result, name),
        digits(result.median),
        digits(result.min),
        spreadOf(result),
        `≤ ${BUDGET_US} µs`,
      ],
      budgets: { 'parse-1kb': result.isRight && result.median <= BUDGET_US },
    };
  });
  const columns = ['dialect', 'median µs', 'min µs', 'spread', 'limit'];
  const figures = contestants.map(({ name }) => clockFigure(name, OURS, results[name]));
  return { table: { title: 'One answer of 1 KB', columns, rows }, figures, results };
}

function measureProse() {
  const results = {};
  const rows = ['plain', 'foreign', 'code'].map((kind) => {
    const chunks = chunksOf(writeProse(3, 1_000_000, kind), 4096);
    const measured = alternate(
      [
        { name: 'five', run: () => streamThrough(five, chunks) },
        { name: 'all', run: () => streamThrough(all, chunks) },
      ],
      { settled: (now) => kind !== 'plain' || now.all.min / now.five.min <= MAX_RATIO },
    );
    results[kind] = measured;
    const ratio = measured.all.min / measured.five.min;
    const limit = kind === 'plain' ? `≤ ${MAX_RATIO}x` : '';
    return {
      cells: [
        kind,
        digits(measured.five.min / 1000),
        digits(measured.all.min / 1000),
        spreadOf(measured.all),
        times(ratio),
        limit,
      ],
      ...(kind === 'plain' && { budgets: { 'prose-dialects': ratio <= MAX_RATIO } }),
    };
  });
  const columns = ['prose', 'five formats ms', 'all formats ms', 'spread', 'all / five', 'limit'];
  const figures = Object.entries(results).map(([kind, { all: one }]) =>
    clockFigure(`1 MB of prose, ${kind}`, OURS, one),
  );
  return { table: { title: 'Prose, 1 MB', columns, rows }, figures, results };
}

export function run() {
  const one = measureSamples();
  const prose = measureProse();
  return {
    tables: [one.table, prose.table],
    figures: [...one.figures, ...prose.figures],
    results: { samples: one.results, prose: prose.results },
  };
}
