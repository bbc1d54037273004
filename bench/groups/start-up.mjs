import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { figure, OURS } from '../harness/figures.mjs';
import { digits, spread } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';

export const about =
  'What a run of the command line takes as a process of its own, from its start to its end, beside `node -e 0`, which is what starting Node alone takes. They take turns, and the shortest run of each counts. Budget: `holdfast --help` at most 80 ms over starting Node.';

const MAX_ADDED_MS = 80;
const bin = fileURLToPath(new URL('../../packages/gateway/bin/holdfast.js', import.meta.url));
const CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';

const runs = [
  { name: 'node -e 0', args: ['-e', '0'], isRight: (output) => output === '' },
  {
    name: 'holdfast --help',
    args: [bin, '--help'],
    isRight: (output) => output.startsWith('Usage: holdfast <command>'),
    hasBudget: true,
  },
  {
    name: 'holdfast parse',
    args: [bin, 'parse'],
    input: CALL,
    isRight: (output) => output.includes('"name": "now"'),
  },
  {
    name: 'holdfast proxy --help',
    args: [bin, 'proxy', '--help'],
    isRight: (output) => output.startsWith('Usage: holdfast proxy'),
  },
];

function start({ args, input = '' }) {
  const from = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  return { ms: performance.now() - from, output: stdout, isWell: status === 0 };
}

/** `turns` may be fewer, to see whether it works at all. */
export function run({ turns = 30 } = {}) {
  const contestants = runs.map((one) => ({ ...one, times: new Turns(), right: true }));
  for (let turn = 0; turn < turns; turn++)
    for (const one of contestants) {
      const { ms, output, isWell } = start(one);
      one.times.add(ms);
      one.right &&= isWell && one.isRight(output);
    }
  const added = (one) => one.times.best - contestants[0].times.best;
  return {
    tables: [
      {
        title: 'One run of the command line',
        columns: ['what', 'ms', 'spread', 'over Node ms', 'limit'],
        rows: contestants.map((one, at) => ({
          cells: [
            one.right ? one.name : `${one.name} WRONG`,
            digits(one.times.best),
            spread(one.times),
            at === 0 ? '' : digits(added(one)),
            one.hasBudget ? `≤ ${MAX_ADDED_MS} ms` : '',
          ],
          ...(one.hasBudget && {
            budgets: { 'start-up': one.right && added(one) <= MAX_ADDED_MS },
          }),
        })),
      },
    ],
    figures: contestants.map(({ name, times }, at) =>
      figure(name, at === 0 ? name : OURS, 'ms', times.best, times.p90),
    ),
    results: contestants.map(({ name, times, right }) => ({ name, times, right })),
  };
}
