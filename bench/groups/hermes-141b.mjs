import { hermesProtocol } from '@ai-sdk-tool/parser';
import { parseToolCalls } from '../core.mjs';
import { toJson, writeCode } from '../data/json-documents.mjs';
import { alternate } from '../harness/alternate.mjs';
import { flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, mark, times } from '../harness/table.mjs';

export const about =
  'A Hermes call as a whole text, with a file of source code as its argument, beside `@ai-sdk-tool/parser`. Budgets: 141 bytes at least 200,000 times a second; every size at least 5 times as fast as the peer. We look for every format, the peer is told that it is Hermes.';

const MIN_PER_SECOND = 200_000;
const MIN_RATIO = 5;

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

export function run() {
  const peer = hermesProtocol();
  const raw = {};
  const rows = [141, 2_000, 20_000, 100_000].map((length) => {
    const { args, text } = writeCall(length);
    const results = alternate(
      [
        {
          name: 'holdfast',
          run: () => parseToolCalls(text),
          isRight: ({ calls }) => calls.length === 1 && sameValue(calls[0].arguments, args),
        },
        {
          name: 'peer',
          run: () => peer.parseGeneratedText({ text, tools, options: {} }),
          isRight: (parts) => {
            const found = parts.filter(({ type }) => type === 'tool-call');
            return found.length === 1 && sameValue(JSON.parse(found[0].input), args);
          },
        },
      ],
      { settled: (now) => isMet(now, text.length) },
    );
    raw[text.length] = results;
    return toRow(text.length, results);
  });
  const columns = [
    'bytes',
    'ours µs',
    'ours op/s',
    'ours MB/s',
    'peer µs',
    'peer op/s',
    'peer MB/s',
    'peer / ours',
  ];
  return { tables: [{ title: 'Hermes, whole', columns, rows }], results: raw };
}

function isMet({ holdfast, peer }, length) {
  const isFastEnough = length > 141 || 1e6 / holdfast.min >= MIN_PER_SECOND;
  return holdfast.isRight && isFastEnough && peer.min / holdfast.min >= MIN_RATIO;
}

function toRow(length, results) {
  const { holdfast, peer } = results;
  const cells = [holdfast, peer].flatMap((result) => [
    mark(result, digits(result.min)),
    digits(1e6 / result.min),
    digits(length / result.min),
  ]);
  return {
    cells: [length.toLocaleString('en-US'), ...cells, times(peer.min / holdfast.min)],
    pass: isMet(results, length),
  };
}
