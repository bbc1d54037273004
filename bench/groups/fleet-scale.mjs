import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitFleet, Circuits } from '../core.mjs';
import { RedisCircuitStore } from '../../packages/core/dist/guard/store/redis/index.js';
import { figure, OURS } from '../harness/figures.mjs';
import { connectRedis, startRedis } from '../harness/redis.mjs';
import { digits } from '../harness/table.mjs';

export const about =
  'What a fleet asks of one real Redis: replicas that are objects of one process here, with the real scripts over four connections, each calling every circuit; in the first case each knows ten times as many, which nobody calls any more. Commands are counted by Redis itself, after all replicas know how many they are. Budgets: commands do not grow with calls, are twice as many for twice the circuits in use (a tenth more or less), all replicas together stay within a tenth of the limit of 5,000 a second with their signs of life on top, and a trip is known to all within a second.';

const MOST_PER_SECOND = 5000;
const BEAT_SECONDS = 5;
const CONNECTIONS = 4;

const CASES = [
  { replicas: 100, circuits: 5, idle: 45, callsPerSecond: 2_000, seconds: 15 },
  { replicas: 100, circuits: 10, callsPerSecond: 2_000, seconds: 15 },
  { replicas: 100, circuits: 10, callsPerSecond: 20_000, seconds: 15 },
  { replicas: 100, circuits: 100, callsPerSecond: 20_000, seconds: 15 },
  { replicas: 1000, circuits: 10, callsPerSecond: 20_000, seconds: 20 },
  { replicas: 1000, circuits: 100, callsPerSecond: 20_000, seconds: 50 },
];

/** Script calls that Redis has run so far, and the microseconds it took for them. */
async function scriptsRun(client) {
  const stats = await client.info('commandstats');
  const [, calls = 0, usec = 0] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(stats) ?? [];
  return { calls: Number(calls), usec: Number(usec) };
}

async function measure({ replicas, circuits, idle = 0, callsPerSecond, seconds }, url) {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectRedis(url)));
  await clients[0].flushAll();
  const stores = clients.map((client) => new RedisCircuitStore({ client }));
  const names = Array.from({ length: circuits }, (_, at) => `tool-${at}`);
  // A machine of two cores is slower than a fleet: what waits its turn here would not wait there.
  const fleets = Array.from(
    { length: replicas },
    (_, at) =>
      new CircuitFleet({
        store: stores[at % CONNECTIONS],
        replica: `replica-${at}`,
        storeTimeoutMs: 10_000,
      }),
  );
  const registries = fleets.map((fleet) => new Circuits({ fleet }));
  for (const registry of registries) {
    for (let at = 0; at < idle; at++) {
      const circuit = registry.get(`idle-${at}`);
      circuit.settle(circuit.acquire());
    }
  }
  let made = 0;
  let isCalling = true;
  const all = registries.flatMap((registry) => names.map((name) => registry.get(name)));
  const callOn = async () => {
    const startedAt = performance.now();
    while (isCalling) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * callsPerSecond);
      for (; made < due; made++) {
        const circuit = all[made % all.length];
        const admission = circuit.acquire();
        if (!('isRefused' in admission)) circuit.settle(admission);
      }
      await sleep(5);
    }
  };
  const calling = callOn();
  // Each has said twice that it is there, and has told what it counted before it knew of the others.
  const intervalMs = Math.max(1000, (replicas * circuits * 1250) / MOST_PER_SECOND);
  await sleep(2 * BEAT_SECONDS * 1000 + intervalMs);
  const [before, madeBefore, from] = [await scriptsRun(clients[0]), made, performance.now()];
  await sleep(seconds * 1000);
  const [after, madeAfter, to] = [await scriptsRun(clients[0]), made, performance.now()];
  const tripMs = await trip(registries);
  isCalling = false;
  await calling;
  await Promise.all(fleets.map((fleet) => fleet.close()));
  for (const client of clients) client.destroy();
  const took = (to - from) / 1000;
  return {
    calls: (madeAfter - madeBefore) / took,
    commands: (after.calls - before.calls) / took,
    scriptUs: (after.usec - before.usec) / (after.calls - before.calls),
    tripMs,
    isDegraded: fleets.some((fleet) => fleet.status().isDegraded),
  };
}

/** How long it takes until a circuit that one isolates is open on all. */
async function trip(registries) {
  const from = performance.now();
  registries[0].get('tool-0').isolate('to see how far it is heard');
  while (!registries.every((registry) => registry.get('tool-0').state === 'open')) {
    if (performance.now() - from > 60_000) return Infinity;
    await sleep(5);
  }
  return performance.now() - from;
}

export async function run() {
  const redis = await startRedis();
  const results = [];
  try {
    for (const each of CASES) results.push({ ...each, ...(await measure(each, redis.url)) });
  } finally {
    await redis.stop();
  }
  const [half, few, many] = results;
  const rows = results.map((result, at) => {
    const { replicas, circuits, calls, commands, scriptUs, tripMs, isDegraded } = result;
    const limit = MOST_PER_SECOND * 1.1 + replicas / BEAT_SECONDS / 0.75;
    const isCallBound = at === 2 && commands > few.commands * 1.1;
    // Signs of life are the same for both.
    const growth =
      (few.commands - replicas / BEAT_SECONDS) / (half.commands - replicas / BEAT_SECONDS);
    const isOutOfProportion = at === 1 && Math.abs(growth / 2 - 1) > 0.1;
    return {
      cells: [
        `${replicas} × ${circuits}`,
        digits(Math.round(calls)),
        digits(Math.round(commands)),
        `≤ ${digits(Math.round(limit))}`,
        digits(scriptUs),
        digits(Math.round(tripMs)),
        '≤ 1000',
      ],
      budgets: {
        'redis-commands': commands <= limit && !isCallBound && !isOutOfProportion && !isDegraded,
        'redis-trip': tripMs <= 1000,
      },
    };
  });
  return {
    tables: [
      {
        title: 'Replicas × circuits on one Redis',
        columns: [
          'replicas × circuits in use',
          'calls / s',
          'commands / s',
          'limit',
          'µs a script',
          'trip known to all ms',
          'limit ',
        ],
        rows,
      },
    ],
    figures: results.flatMap(({ replicas, circuits, callsPerSecond, commands, scriptUs }) => {
      const name = `${replicas} × ${circuits}, ${callsPerSecond} calls/s`;
      return [
        figure(`${name}, commands a second`, OURS, 'commands', commands),
        figure(`${name}, a script`, OURS, 'µs', scriptUs),
      ];
    }),
    results: {
      cases: results,
      ratioByCalls: many.commands / few.commands,
      ratioByCircuits: few.commands / half.commands,
    },
  };
}
