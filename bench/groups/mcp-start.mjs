import { figure, OURS } from '../harness/figures.mjs';
import { digits, spread, times } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';
import { connectHttp, connectStdio } from '../mcp/connect.mjs';
import { overHttp, overStdio } from '../mcp/contestants.mjs';

export const about =
  'From nothing to the first answer to `tools/list`: fresh processes, which take turns; the shortest of each counts. Behind every gateway the same echo server is started too. No budget.';

const ERA = '2025-11-25';

const contestants = () => [
  ...Object.entries(overStdio).map(([name, args]) => ({
    name: `${name}, stdio`,
    turns: new Turns(),
    begin: () => connectStdio(args, ERA),
  })),
  ...Object.entries(overHttp).map(([name, start]) => ({
    name: `${name}, HTTP`,
    turns: new Turns(),
    begin: () => beginHttp(start),
  })),
];

async function beginHttp(start) {
  const { url, stop } = await start();
  const { client, close } = await connectHttp(url, ERA);
  return { client, close: () => close().then(stop) };
}

/** `starts` may be fewer, to see whether it works at all. */
export async function run({ starts = 10 } = {}) {
  const all = contestants();
  for (let turn = 0; turn < starts; turn++)
    for (const { begin, turns } of all) {
      const start = performance.now();
      const { client, close } = await begin();
      await client.listTools();
      turns.add(performance.now() - start);
      await close();
    }
  const direct = (name) => all.find((one) => one.name === `direct, ${name.split(', ').at(-1)}`);
  const rows = all.map(({ name, turns }) => ({
    cells: [name, digits(turns.best), spread(turns), times(turns.best / direct(name).turns.best)],
  }));
  const columns = ['through', 'ms', 'spread', 'of direct'];
  return {
    tables: [{ title: 'From nothing to the first list of tools', columns, rows }],
    figures: all.map(({ name, turns }) => {
      const isOurs = name.startsWith('Holdfast');
      const what = `start, ${name.split(', ').at(-1)}`;
      return figure(what, isOurs ? OURS : name, 'ms', turns.best, turns.p90);
    }),
    results: all.map(({ name, turns }) => ({ name, turns })),
  };
}
