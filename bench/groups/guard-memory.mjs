import { idleCircuits } from '../idle-circuits.mjs';
import { measureCircuits } from '../harness/fork-measure.mjs';
import { figure, OURS } from '../harness/figures.mjs';
import { digits, mark, spread } from '../harness/table.mjs';

export const about =
  '10,000 circuits that have seen one success each and are idle now: bytes of `heapUsed` and `arrayBuffers`, timers that are set, and how much of a core they take; and what they take before their first call. Budgets: in `Circuits` at most 1 KB each, less before the first call, and no timer. Each kind in processes of its own; the middle of three.';

const COUNT = 10_000;
const BUDGET_BYTES = 1024;
const RUNS = 3;

export async function run() {
  const results = {};
  for (const { name } of idleCircuits) {
    const memory = [];
    for (let count = 0; count < RUNS; count++)
      memory.push(await measureCircuits(name, COUNT, 'memory'));
    const sorted = memory.map(({ bytes }) => bytes).sort((a, b) => a - b);
    const unused = await measureCircuits(name, COUNT, 'unused');
    const idling = await measureCircuits(name, COUNT, 'idling');
    const isRight = [...memory, unused, idling].every((one) => one.isRight);
    const bytes = sorted[Math.floor(RUNS / 2)];
    results[name] = { ...idling, bytes, most: sorted.at(-1), unused: unused.bytes, isRight };
  }
  const rows = idleCircuits.map(({ name, isOurs = false }) => {
    const { bytes, most, unused, timers, idleCpu, isRight } = results[name];
    return {
      cells: [
        mark({ isRight }, name),
        digits(bytes),
        spread({ best: bytes, p90: most }),
        digits(unused),
        digits(timers),
        `${(idleCpu * 100).toFixed(1)} %`,
        isOurs ? `≤ ${digits(BUDGET_BYTES)} B, 0 timers` : '',
      ],
      ...(isOurs && {
        budgets: {
          'circuit-bytes': isRight && bytes <= BUDGET_BYTES,
          'circuit-history': isRight && unused < bytes,
          'circuit-timers': isRight && timers === 0,
        },
      }),
    };
  });
  const columns = [
    'what',
    'bytes each',
    'spread',
    'before their first call',
    'timers',
    'of a core',
    'limit',
  ];
  const figures = idleCircuits.map(({ name }) =>
    figure(name, name.startsWith(OURS) ? OURS : name, 'bytes', results[name].bytes),
  );
  return { tables: [{ title: '10,000 idle circuits', columns, rows }], figures, results };
}
