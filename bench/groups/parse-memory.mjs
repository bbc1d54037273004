import { figure } from '../harness/figures.mjs';
import { forkMeasure } from '../harness/fork-measure.mjs';
import { digits, spread, times } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';
import { streamKinds } from '../open-streams.mjs';

export const about =
  'Streams that are open in the middle of an argument, as a gateway has them: bytes of `heapUsed` and `arrayBuffers` for each, after collection. Each kind in processes of its own, taking turns; the least of three. The text alone is what anybody has to keep who must still be able to say what was written. No budget.';

const CASES = [
  { size: '1 KB', characters: 900, count: 2000 },
  { size: '10 KB', characters: 9_400, count: 500 },
];
const TURNS = 3;

export async function run() {
  const measured = {};
  for (const { size, characters, count } of CASES)
    for (let turn = 0; turn < TURNS; turn++)
      for (const { name } of streamKinds) {
        const { bytes } = await forkMeasure('measure-streams.mjs', [name, count, characters]);
        ((measured[size] ??= {})[name] ??= new Turns()).add(bytes);
      }
  const rows = CASES.flatMap(({ size, count }) =>
    streamKinds.map(({ name }) => {
      const turns = measured[size][name];
      const text = measured[size]['the text alone'];
      return {
        cells: [
          `${count} streams of ${size}`,
          name,
          digits(turns.best),
          spread(turns),
          times(turns.best / text.best),
        ],
      };
    }),
  );
  const figures = Object.entries(measured).flatMap(([size, byName]) =>
    Object.entries(byName).map(([name, { best, p90 }]) =>
      figure(`open stream, ${size}`, name, 'bytes', best, p90),
    ),
  );
  const columns = ['open', 'reader', 'bytes each', 'spread', 'of the text'];
  return { tables: [{ title: 'Open streams', columns, rows }], figures, results: measured };
}
