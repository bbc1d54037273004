import { parseJson, parseToolCalls } from '../core.mjs';
import { argumentKinds, toJson } from '../data/json-documents.mjs';
import { writeProse } from '../data/prose.mjs';
import { alternate } from '../harness/alternate.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, mark, spreadOf, times } from '../harness/table.mjs';

export const about =
  'Valid JSON beside native `JSON.parse` of the same body. Budgets: a complete document through `parseJson` at most 1.3 times native; inside text, with 200 characters of prose around it, at most 2 times. `parseToolCalls` stands beside it without a limit: it looks for every format, and makes calls with ids and segments of what it finds, which costs the same few microseconds however long the JSON is. Where the arguments are a string inside JSON, native parses twice as well. The worst of three seeds.';

const WHOLE_BUDGET = 1.3;
const INSIDE_BUDGET = 2;
const SEEDS = [11, 12, 13];
const SPELLINGS = [
  'document',
  'document in text',
  'in <tool_call>',
  'openai, object',
  'openai, string',
];

const parseTwice = (text) => JSON.parse(JSON.parse(text).tool_calls[0].function.arguments);

/** Each way a document can stand in an answer: the text, our reading of it, and native's of the bare body. */
function spellings(args, seed) {
  const name = 'write_file';
  const before = writeProse(seed, 120);
  const around = (body) => flat(`${before}\n${body}\n${writeProse(seed + 1, 80)}`);
  const hermes = toJson({ name, arguments: args });
  const openai = (inner) =>
    toJson({
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: inner } }],
    });
  const asObject = openai(args);
  const asString = openai(JSON.stringify(args));
  const document = toJson(args);
  const inside = (text, native) => ({
    ours: () => parseToolCalls(text),
    native,
    isRight: ({ calls }) => calls.length === 1 && sameValue(calls[0].arguments, args),
    budget: undefined,
    id: undefined,
  });
  const amidProse = around(document);
  return {
    document: {
      ours: () => parseJson(document),
      native: () => JSON.parse(document),
      isRight: (result) => result.ok && sameValue(result.value, args),
      budget: WHOLE_BUDGET,
      id: 'json-document',
    },
    'document in text': {
      ours: () => parseJson(amidProse),
      native: () => JSON.parse(document),
      isRight: (result) => result.ok && sameValue(result.value, args),
      budget: INSIDE_BUDGET,
      id: 'json-in-text',
    },
    'in <tool_call>': inside(around(`<tool_call>\n${hermes}\n</tool_call>`), () =>
      JSON.parse(hermes),
    ),
    'openai, object': inside(around(asObject), () => JSON.parse(asObject)),
    'openai, string': inside(around(asString), () => parseTwice(asString)),
  };
}

/** One contest per seed; the worst counts. */
function measure(kind, spelling) {
  const contests = SEEDS.map((seed) => {
    const { ours, native, isRight, budget, id } = spellings(argumentKinds[kind](seed), seed)[
      spelling
    ];
    const results = alternate(
      [
        { name: 'ours', run: ours, isRight },
        { name: 'native', run: native },
      ],
      { settled: (now) => now.ours.min / now.native.min <= (budget ?? INSIDE_BUDGET) },
    );
    return { ...results, budget, id, ratio: results.ours.min / results.native.min };
  });
  return contests.toSorted((a, b) => b.ratio - a.ratio)[0];
}

export function run() {
  const rows = [];
  const results = {};
  const figures = [];
  for (const spelling of SPELLINGS) {
    for (const kind of Object.keys(argumentKinds)) {
      const worst = measure(kind, spelling);
      const { ours, native, ratio, budget, id } = worst;
      const name = `${spelling}, ${kind}`;
      results[name] = worst;
      figures.push(clockFigure(name, OURS, ours), clockFigure(name, 'JSON.parse', native));
      rows.push({
        cells: [
          name,
          mark(ours, digits(ours.min)),
          digits(native.min),
          spreadOf(ours),
          spreadOf(native),
          digits(ours.min - native.min),
          times(ratio),
          budget === undefined ? '' : `≤ ${budget}x`,
        ],
        ...(id && { budgets: { [id]: ours.isRight && ratio <= budget } }),
      });
    }
  }
  const columns = [
    'what',
    'ours µs',
    'native µs',
    'spread',
    'native spread',
    'more µs',
    'ours / native',
    'limit',
  ];
  return { tables: [{ title: 'Valid JSON', columns, rows }], figures, results };
}
