import { Circuits } from '../core.mjs';
import { cockatielBreaker, cockatielRules, label, Opossum } from '../guard-peers.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { cpuFigure, figure, OURS } from '../harness/figures.mjs';
import { measureCircuits } from '../harness/fork-measure.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'Ten and a hundred times as many circuits: what each takes in memory, in a process of its own for every size, and what a call costs that finds its circuit by name and succeeds, with calls spread over all of them. Budgets: ten times as many take at most 1.1 times the memory each, and at most 4 times the time for a call: a search would take 10 times as long, and finding one of 100,000 things in memory takes more than finding one of 10,000 that the processor has at hand, as the `Map` of bare counters shows that stands beside them. opossum has timers for each, and stops at 10,000.';

const SIZES = [1_000, 10_000, 100_000];
const MAX_BYTES_RATIO = 1.1;
const MAX_COST_RATIO = 4;
/** No two calls in a row ask for neighbours. */
const STRIDE = 7_919;

const work = async () => 'done';

/** `begin` returns what calls the circuit of a name. In idle-circuits.mjs the same have these names, or the one that `idle` says. */
const kinds = [
  {
    name: OURS,
    idle: 'holdfast, in Circuits',
    begin: () => {
      const circuits = new Circuits({ maxCircuits: 1_000_000 });
      return (name) => circuits.get(name).call(work);
    },
  },
  {
    name: `${label('cockatiel')}, sampling`,
    begin: () => {
      const policies = new Map();
      return (name) => {
        let policy = policies.get(name);
        if (policy === undefined)
          policies.set(name, (policy = cockatielBreaker(cockatielRules.sampling())));
        return policy.execute(work);
      };
    },
  },
  {
    name: `${label('opossum')}, no snapshots, no percentiles`,
    most: 10_000,
    begin: () => {
      const circuits = new Map();
      const options = { timeout: false, enableSnapshots: false, rollingPercentilesEnabled: false };
      return (name) => {
        let circuit = circuits.get(name);
        if (circuit === undefined) circuits.set(name, (circuit = new Opossum(work, options)));
        return circuit.fire();
      };
    },
  },
];

/** What finding a thing by its name and counting costs anyway. */
const COUNTERS = {
  name: 'a Map of counters',
  begin: () => {
    const counters = new Map();
    return async (name) => {
      let counter = counters.get(name);
      if (counter === undefined) counters.set(name, (counter = { calls: 0 }));
      counter.calls++;
      return work();
    };
  },
};
const timed = [...kinds, COUNTERS];

const sizesOf = ({ most = Infinity }) => SIZES.filter((size) => size <= most);
const nameOf = (kind, size) => `${kind.name}, ${size.toLocaleString('en-US')}`;

async function contestant(kind, size) {
  const call = kind.begin();
  const names = Array.from({ length: size }, (_, at) => `tool-${at}`);
  for (const name of names) await call(name);
  let at = 0;
  const run = () => {
    at = (at + STRIDE) % size;
    return call(names[at]);
  };
  return { name: nameOf(kind, size), run, isRight: (answer) => answer === 'done' };
}

async function measureCost() {
  const contestants = [];
  for (const kind of timed)
    for (const size of sizesOf(kind)) contestants.push(await contestant(kind, size));
  return alternateAsync(contestants, {
    settled: (now) =>
      dearest(kinds[0], (size) => now[nameOf(kinds[0], size)].cpu) <= MAX_COST_RATIO,
  });
}

async function measureBytes() {
  const bytes = {};
  for (const kind of kinds)
    for (const size of sizesOf(kind)) {
      const measured = await measureCircuits(kind.idle ?? kind.name, size, 'memory');
      bytes[nameOf(kind, size)] = measured;
    }
  return bytes;
}

/** The most that any tenfold costs more. */
function dearest(kind, read) {
  const values = sizesOf(kind).map(read);
  return Math.max(...values.slice(1).map((value, at) => value / values[at]));
}

export async function run() {
  const bytes = await measureBytes();
  const cost = await measureCost();
  const rows = [];
  const figures = [];
  for (const kind of timed) {
    const bytesOf = (size) => bytes[nameOf(kind, size)]?.bytes ?? NaN;
    const bytesRatio = dearest(kind, bytesOf);
    const costRatio = dearest(kind, (size) => cost[nameOf(kind, size)].cpu);
    for (const size of sizesOf(kind)) {
      const name = nameOf(kind, size);
      const isLast = size === sizesOf(kind).at(-1);
      const isRight = (bytes[name]?.isRight ?? true) && cost[name].isRight;
      const isJudged = isLast && kind.name === OURS;
      const of = kind.name === OURS ? OURS : name;
      if (kind !== COUNTERS)
        figures.push(figure(`${size} circuits, memory of each`, of, 'bytes', bytesOf(size)));
      figures.push(cpuFigure(`${size} circuits, a call`, of, cost[name]));
      rows.push({
        cells: [
          mark({ isRight }, name),
          kind === COUNTERS ? '' : digits(bytesOf(size)),
          isLast && kind !== COUNTERS ? times(bytesRatio) : '',
          digits(cost[name].cpu),
          cpuSpreadOf(cost[name]),
          isLast ? times(costRatio) : '',
          isJudged ? `≤ ${MAX_BYTES_RATIO}x and ≤ ${MAX_COST_RATIO}x` : '',
        ],
        ...(isJudged && {
          budgets: {
            'growth-circuits':
              isRight && bytesRatio <= MAX_BYTES_RATIO && costRatio <= MAX_COST_RATIO,
          },
        }),
      });
    }
  }
  const columns = [
    'circuits',
    'bytes each',
    'dearest ten times',
    'a call, CPU µs',
    'spread',
    'dearest ten times',
    'limit',
  ];
  const tables = [{ title: 'Ten times the circuits', columns, rows }];
  return { tables, figures, results: { bytes, cost } };
}
