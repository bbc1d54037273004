import { hermesProtocol } from '@ai-sdk-tool/parser';
import { parseToolCalls } from '../core.mjs';
import { toJson, writeCode } from '../data/json-documents.mjs';
import { alternate } from '../harness/alternate.mjs';
import { canRun } from '../harness/can-run.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, mark, spreadOf, times } from '../harness/table.mjs';
import { tagReaders } from '../tag-readers.mjs';

export const about =
  'A Hermes call as a whole text, with a file of source code as its argument, beside `@ai-sdk-tool/parser`. Budgets: 141 bytes at least 200,000 times a second; every size at least 5 times as fast as that peer. We look for every format, the peer is told that it is Hermes. The tag readers know one tag and nothing else: they find it and give what is inside to `JSON.parse`, which is the floor, to jsonrepair or to partial-json.';

const MIN_PER_SECOND = 200_000;
const MIN_RATIO = 5;
const PEER = '@ai-sdk-tool/parser';

const tools = [
  {
    type: 'function',
    name: 'write_file',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
  },
];

function writeCall(length) {
  const head = 'I will write it.\n<tool_call>\n';
  const make = (content) => {
    const args = { path: 'src/a.ts', content };
    return {
      args,
      text: flat(`${head}${toJson({ name: 'write_file', arguments: args })}\n</tool_call>`),
    };
  };
  const bare = make('').text.length;
  let code = writeCode(7, length);
  while (make(code).text.length > length && code.length > 0) {
    code = code.slice(
      0,
      code.length - Math.max(1, Math.floor((make(code).text.length - length) / 2)),
    );
  }
  return length <= bare ? make('') : make(code);
}

function contestants({ args, text }, peer) {
  return [
    {
      name: OURS,
      run: () => parseToolCalls(text),
      isRight: ({ calls }) => calls.length === 1 && sameValue(calls[0].arguments, args),
    },
    {
      name: PEER,
      run: () => peer.parseGeneratedText({ text, tools, options: {} }),
      isRight: (parts) => {
        const found = parts.filter(({ type }) => type === 'tool-call');
        return found.length === 1 && sameValue(JSON.parse(found[0].input), args);
      },
    },
    ...tagReaders.map(({ name, read }) => ({
      name,
      run: () => read(text),
      isRight: (call) => sameValue(call?.arguments, args),
    })),
  ];
}

export function run() {
  const peer = hermesProtocol();
  const raw = {};
  const rows = [];
  const figures = [];
  for (const wanted of [141, 2_000, 20_000, 100_000]) {
    const call = writeCall(wanted);
    const { length } = call.text;
    const all = contestants(call, peer);
    const results = alternate(all.filter(canRun), {
      settled: (now) => Object.values(judge(now, length)).every(isEveryMet),
    });
    raw[length] = results;
    const verdicts = judge(results, length);
    for (const { name } of all) {
      const result = results[name];
      rows.push(toRow(length, name, result, results[OURS], verdicts[name]));
      if (result?.isRight) figures.push(clockFigure(`${toSize(length)}, whole`, name, result));
    }
  }
  const columns = ['bytes', 'reader', 'µs', 'spread', 'calls / s', 'MB/s', 'of ours'];
  return { tables: [{ title: 'Hermes, whole', columns, rows }], figures, results: raw };
}

/** The verdicts of each contestant's row. */
function judge(results, length) {
  const { [OURS]: ours, [PEER]: peer } = results;
  return {
    [OURS]: length > 141 ? {} : { 'hermes-141b': isFast(ours) },
    [PEER]: { 'hermes-peer': ours.isRight && peer.min / ours.min >= MIN_RATIO },
  };
}

const isEveryMet = (verdicts) => Object.values(verdicts).every(Boolean);
const isFast = ({ isRight, min }) => isRight && 1e6 / min >= MIN_PER_SECOND;
const toSize = (length) => (length < 1000 ? `${length} B` : `${length / 1000} KB`);

function toRow(length, name, result, ours, budgets = {}) {
  const bytes = length.toLocaleString('en-US');
  if (result === undefined) return { cells: [bytes, `${name} REFUSES IT`, '', '', '', '', ''] };
  return {
    cells: [
      bytes,
      mark(result, name),
      digits(result.min),
      spreadOf(result),
      digits(1e6 / result.min),
      digits(length / result.min),
      times(result.min / ours.min),
    ],
    budgets,
  };
}
