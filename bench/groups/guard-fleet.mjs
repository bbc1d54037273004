import { setImmediate } from 'node:timers/promises';
import { CircuitFleet, Circuits, Executor, MemoryCircuitStore } from '../core.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { RedisCircuitStore } from '../../packages/core/dist/guard/store/redis/index.js';
import { cpuFigure, OURS } from '../harness/figures.mjs';
import { commandsAsked, connectRedis, startRedis } from '../harness/redis.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'What a circuit costs more that many processes share: a call that succeeds and one that is refused, with a fleet and without, in microseconds of the processor; the time by the clock stands beside it. What the store is told is in it, as a store in memory does it; a real Redis has its row, and a store that never answers. Budget: at most 1.1 times, in memory and in Redis. And what a store is asked while one replica makes as many calls as it can, 100,000 a second at least: at most 10 operations a second for each circuit that is in use, those on Redis as Redis itself counts its commands.';

const MOST_RATIO = 1.1;
const MOST_OPERATIONS = 10;
const LEAST_CALLS = 100_000;
const CIRCUITS = 5;
const SECONDS = 5;

const RESULT = Object.freeze({ content: [{ type: 'text', text: 'done' }] });
const work = async () => RESULT;
const isResult = ({ ok, value }) => ok && value === RESULT;
const isRefusal = ({ ok, refusal }) => !ok && refusal !== undefined;

/** A store that counts what it is asked. */
class CountingStore extends MemoryCircuitStore {
  asked = 0;

  report(...given) {
    this.asked++;
    return super.report(...given);
  }

  join(...given) {
    this.asked++;
    return super.join(...given);
  }
}

const never = () => new Promise(() => undefined);
const SILENT = {
  report: never,
  lease: never,
  settle: never,
  override: never,
  join: never,
  leave: never,
  replicas: never,
};

const ALONE = 'without a fleet';
const IN_MEMORY = 'in a fleet, store in memory';
const IN_REDIS = 'in a fleet, store in Redis';
const AWAY = 'in a fleet, store never answers';
const JUDGED = [IN_MEMORY, IN_REDIS];

const storesFor = (client) => [
  [IN_MEMORY, new MemoryCircuitStore()],
  [IN_REDIS, new RedisCircuitStore({ client })],
  [AWAY, SILENT],
];

const contestants = (registries, circuit, isRight) =>
  registries.map(([name, circuits]) => {
    const executor = new Executor({ name: 'work', circuits: () => circuits.forTool(circuit) });
    return { name, run: () => executor.run(work), isRight };
  });

export async function run() {
  const redis = await startRedis();
  const client = await connectRedis(redis.url);
  const fleets = storesFor(client).map(([name, store]) => [name, new CircuitFleet({ store })]);
  try {
    const shared = fleets.map(([name, fleet]) => [name, new Circuits({ fleet })]);
    return await measure([[ALONE, new Circuits()], ...shared], client);
  } finally {
    await Promise.all(fleets.map(([, fleet]) => fleet.close()));
    client.destroy();
    await redis.stop();
  }
}

async function measure(registries, client) {
  const passing = contestants(registries, 'work', isResult);
  for (const [, circuits] of registries) circuits.get('broken').isolate('for good');
  const refusing = contestants(registries, 'broken', isRefusal);
  // A fixed number, because they are close: to measure on only while ours looks slower would favour us.
  const passed = await alternateAsync(passing, { batches: 80 });
  const refused = await alternateAsync(refusing, { batches: 80 });
  const counting = new CountingStore();
  const told = {
    [IN_MEMORY]: await countOperations(counting, () => counting.asked),
    [IN_REDIS]: await countOperations(new RedisCircuitStore({ client, prefix: 'told' }), () =>
      commandsAsked(client),
    ),
  };
  return {
    tables: [
      toTable('A call that succeeds', passing, passed),
      toTable('A call that is refused', refusing, refused),
      toldTable(told),
    ],
    figures: [
      ...Object.values(passed).map((one) => cpuFigure(`succeeds ${one.name}`, OURS, one)),
      ...Object.values(refused).map((one) => cpuFigure(`refused ${one.name}`, OURS, one)),
    ],
    results: { passed, refused, told },
  };
}

/** As many calls as one replica can make, and what its store is asked for all of them. */
async function countOperations(store, countAsked) {
  const fleet = new CircuitFleet({ store });
  const circuits = new Circuits({ fleet });
  const names = Array.from({ length: CIRCUITS }, (_, at) => `tool-${at}`);
  const before = await countAsked();
  const until = performance.now() + SECONDS * 1000;
  let calls = 0;
  while (performance.now() < until) {
    for (let round = 0; round < 200; round++) {
      for (const name of names) {
        const circuit = circuits.get(name);
        circuit.settle(circuit.acquire());
      }
    }
    calls += 200 * CIRCUITS;
    await setImmediate();
  }
  const operations = (await countAsked()) - before;
  await fleet.close();
  return { calls: calls / SECONDS, operations: operations / SECONDS / CIRCUITS };
}

function toTable(title, all, results) {
  const rows = all.map(({ name }) => {
    const result = results[name];
    const ratio = result.cpu / results[ALONE].cpu;
    return {
      cells: [
        mark(result, name),
        digits(result.cpu),
        cpuSpreadOf(result),
        digits(result.min),
        times(ratio),
        JUDGED.includes(name) ? `≤ ${MOST_RATIO}x` : '',
      ],
      ...(JUDGED.includes(name) && {
        budgets: { 'fleet-cost': result.isRight && ratio <= MOST_RATIO },
      }),
    };
  });
  const columns = ['what', 'CPU µs', 'spread', 'clock µs', 'with / without', 'limit'];
  return { title, columns, rows };
}

function toldTable(told) {
  const rows = Object.entries(told).map(([store, { calls, operations }]) => ({
    cells: [
      `${CIRCUITS} circuits of one replica, ${store}`,
      digits(Math.round(calls)),
      digits(operations),
      `≤ ${MOST_OPERATIONS}`,
    ],
    budgets: { 'fleet-operations': operations <= MOST_OPERATIONS && calls >= LEAST_CALLS },
  }));
  return {
    title: 'What the store is asked',
    columns: ['what', 'calls / s', 'operations / s and circuit', 'limit'],
    rows,
  };
}
