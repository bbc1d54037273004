import {
  CommentaryToolParser,
  createDefaultRegistry,
  OpenAIToolParser,
  parseToolCalls,
  QwenToolParser,
} from '../core.mjs';
import { call, formats, malformed, mixed, withoutCall } from '../data/responses.mjs';
import { alternate } from '../harness/alternate.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { digits, mark, spreadOf, times } from '../harness/table.mjs';

export const about =
  'A 1 KB answer with one call amid prose, all formats registered, nothing told about the format. Budget: 20 µs median for every seed format. Beside it what the seed documents say of their own parsers (Python, another machine; 8.5 ms is the average over a whole parse).';

const BUDGET_US = 20;

const holds = (count) => (result) =>
  result.calls.length === count &&
  result.calls.every(
    ({ name, arguments: args }) => name === call.name && sameValue(args, call.arguments),
  );

const registry = createDefaultRegistry();
const qwen = formats[0];
const openai = formats[4];
const commentary = formats.at(-1);

const answers = [
  ...formats.map((format) => ({ ...format, budget: BUDGET_US })),
  ...malformed.map((format) => ({ ...format, seed: '5–10 ms' })),
  { name: 'mixed content: three calls in text', text: mixed, count: 3, seed: '1–2 ms' },
  {
    name: 'mismatch: told qwen, is openai',
    text: openai.text,
    hint: { format: 'qwen' },
    seed: '0.5–1 ms',
  },
  { name: 'no call', text: withoutCall, count: 0, seed: '0.1 ms' },
].map(({ text, count = 1, hint, ...rest }) => ({
  ...rest,
  run: hint === undefined ? () => parseToolCalls(text) : () => parseToolCalls(text, hint),
  isRight: holds(count),
}));

const parts = [
  {
    name: 'parseWithFallback, no call',
    seed: '< 20 ms',
    run: () => registry.parseWithFallback(withoutCall),
    isRight: ({ type, content }) => type === 'text' && content === withoutCall,
  },
  {
    name: 'parseWithFallback, one call: the whole request',
    seed: '< 2 ms',
    run: () => registry.parseWithFallback(qwen.text),
    isRight: ({ type }) => type === 'tool_calls',
  },
  ...[
    [new QwenToolParser(), qwen],
    [new OpenAIToolParser(), openai],
    [new CommentaryToolParser(), commentary],
  ].map(([parser, { text }]) => ({
    name: `${parser.name}.canParse`,
    seed: '< 1 ms',
    run: () => parser.canParse(text),
    isRight: (isFound) => isFound === true,
  })),
];

export function run() {
  const contestants = [...answers, ...parts];
  const results = alternate(contestants, {
    settled: (now) => answers.every(({ name, budget = Infinity }) => now[name].median <= budget),
  });
  const rows = contestants.map(({ name, seed, budget }) => {
    const result = results[name];
    return {
      cells: [
        mark(result, name),
        digits(result.median),
        digits(result.min),
        spreadOf(result),
        seed,
        times(leastMs(seed) / (result.median / 1000)),
      ],
      ...(budget && { budgets: { 'parse-1kb': result.isRight && result.median <= budget } }),
    };
  });
  const columns = ['answer', 'median µs', 'min µs', 'spread', 'the seed says', 'seed / ours'];
  const figures = contestants.map(({ name }) => clockFigure(name, OURS, results[name]));
  return { tables: [{ title: 'One answer', columns, rows }], figures, results };
}

/** Of a range the end that is better for the seed; of a bound the bound itself. */
function leastMs(seed) {
  return Number.parseFloat(seed.replace('<', ''));
}
