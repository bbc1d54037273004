import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitFleet, Circuits } from '../core.mjs';
import { RedisCircuitStore } from '../../packages/core/dist/guard/store/redis/index.js';
import { figure, OURS } from '../harness/figures.mjs';
import { connectRedis, startRedis } from '../harness/redis.mjs';
import { digits, spread, times } from '../harness/table.mjs';
import { Turns } from '../harness/turns.mjs';

export const about =
  'What replicas owe each other through one real Redis: twenty of them, objects of one process with the real scripts over four connections. Budgets: calls are admitted without asking Redis, which is halted (`SIGSTOP`) while 100,000 are made, beside as many while it runs, in turns; five failures on one replica are refused on all others within a second; and when the open time is over and every replica wants to call all the time, exactly one of all is let through to probe.';

const REPLICAS = 20;
const CONNECTIONS = 4;
const ADMISSIONS = 100_000;
const ADMISSION_TURNS = 7;
const TRIPS = 10;
const PROBES = 5;
const OPEN_MS = 400;
const PROBE_MS = 600;
const MAX_TRIP_MS = 1000;
/** A halted Redis may cost a call nothing; noise may. */
const MAX_HALTED_RATIO = 1.5;
const GIVE_UP_AFTER_MS = 20_000;

async function startFleet(url) {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectRedis(url)));
  const stores = clients.map((client) => new RedisCircuitStore({ client }));
  const fleets = Array.from(
    { length: REPLICAS },
    (_, at) => new CircuitFleet({ store: stores[at % CONNECTIONS], replica: `replica-${at}` }),
  );
  const registries = fleets.map(
    (fleet) => new Circuits({ fleet, defaults: { openForMs: OPEN_MS } }),
  );
  return {
    on: (name) => registries.map((registry) => registry.get(name)),
    async close() {
      await Promise.all(fleets.map((fleet) => fleet.close()));
      for (const client of clients) client.destroy();
    },
  };
}

async function until(isSo) {
  const from = performance.now();
  while (!isSo()) {
    if (performance.now() - from > GIVE_UP_AFTER_MS) return Infinity;
    await sleep(1);
  }
  return performance.now() - from;
}

const isRefused = (circuit) => {
  const admission = circuit.acquire();
  if ('isRefused' in admission) return true;
  circuit.settle(admission);
  return false;
};

/** Microseconds for one admission and its outcome, and whether all were admitted. */
function admit(circuit) {
  let refused = 0;
  const start = performance.now();
  for (let call = 0; call < ADMISSIONS; call++) {
    const admission = circuit.acquire();
    if ('isRefused' in admission) refused++;
    else circuit.settle(admission);
  }
  return { us: ((performance.now() - start) * 1000) / ADMISSIONS, refused };
}

async function measureAdmission(fleet, redis) {
  const [circuit] = fleet.on('admission');
  admit(circuit);
  const running = new Turns();
  const halted = new Turns();
  let refused = 0;
  for (let turn = 0; turn < ADMISSION_TURNS; turn++) {
    for (const [how, turns] of Object.entries({ running, halted })) {
      if (how === 'halted') redis.halt();
      const admitted = admit(circuit);
      // Whatever wants to be sent is sent, and what could be waited for is not there.
      await sleep(20);
      const again = admit(circuit);
      redis.goOn();
      turns.add(Math.min(admitted.us, again.us));
      refused += admitted.refused + again.refused;
      await sleep(50);
    }
  }
  return { running, halted, refused };
}

/** As many in a row as open a circuit. */
async function failFive(circuit) {
  const fail = () => Promise.reject(new Error('HTTP 502'));
  for (let call = 0; call < 5; call++) await circuit.call(fail).catch(() => undefined);
}

/** From five failures on one replica to a refusal on every other. */
async function measureTrip(fleet, turn) {
  const [first, ...others] = fleet.on(`trip-${turn}`);
  await failFive(first);
  const ms = await until(() => others.every((circuit) => circuit.state === 'open'));
  return { ms, isRefused: [first, ...others].every(isRefused) };
}

/** How many of all replicas are let through when the open time is over, while the probe is under way. */
async function countProbes(fleet, turn) {
  const circuits = fleet.on(`probe-${turn}`);
  const [first] = circuits;
  await failFive(first);
  await until(() => circuits.every((circuit) => circuit.state === 'open'));
  const probes = [];
  let firstAt = Infinity;
  const from = performance.now();
  while (performance.now() < Math.min(firstAt + PROBE_MS, from + GIVE_UP_AFTER_MS)) {
    for (const circuit of circuits) {
      const admission = circuit.acquire();
      if ('isRefused' in admission) continue;
      probes.push({ circuit, admission });
      firstAt = Math.min(firstAt, performance.now());
    }
    await sleep(2);
  }
  for (const { circuit, admission } of probes) circuit.settle(admission);
  const healedMs = await until(() => circuits.every((circuit) => circuit.state === 'closed'));
  return { probes: probes.length, afterMs: firstAt - from, healedMs };
}

export async function run() {
  const redis = await startRedis();
  try {
    const fleet = await startFleet(redis.url);
    const admission = await measureAdmission(fleet, redis);
    const trips = [];
    for (let turn = 0; turn < TRIPS; turn++) trips.push(await measureTrip(fleet, turn));
    const probes = [];
    for (let turn = 0; turn < PROBES; turn++) probes.push(await countProbes(fleet, turn));
    await fleet.close();
    return report({ admission, trips, probes });
  } finally {
    redis.goOn();
    await redis.stop();
  }
}

function report({ admission, trips, probes }) {
  const { running, halted, refused } = admission;
  const ratio = halted.best / running.best;
  const slowest = Math.max(...trips.map(({ ms }) => ms));
  const counts = probes.map((one) => one.probes);
  return {
    tables: [
      {
        title: 'Admission',
        columns: [
          'calls',
          'Redis runs µs',
          'spread',
          'Redis halted µs',
          'ratio',
          'refused',
          'limit',
        ],
        rows: [
          {
            cells: [
              ADMISSIONS.toLocaleString('en-US'),
              digits(running.best),
              spread(running),
              digits(halted.best),
              times(ratio),
              refused,
              `≤ ${MAX_HALTED_RATIO}x, none refused`,
            ],
            budgets: { 'redis-admission': refused === 0 && ratio <= MAX_HALTED_RATIO },
          },
        ],
      },
      {
        title: 'A trip on one replica, refused on all others',
        columns: ['trips', 'quickest ms', 'slowest ms', 'limit'],
        rows: [
          {
            cells: [
              `${TRIPS} of ${REPLICAS} replicas`,
              digits(Math.min(...trips.map(({ ms }) => ms))),
              digits(slowest),
              `≤ ${MAX_TRIP_MS} ms`,
            ],
            budgets: {
              'redis-trip': slowest <= MAX_TRIP_MS && trips.every((trip) => trip.isRefused),
            },
          },
        ],
      },
      {
        title: 'Probes when the open time is over',
        columns: ['times', 'probes each time', 'closed for all after ms', 'limit'],
        rows: [
          {
            cells: [
              `${PROBES}, ${REPLICAS} replicas`,
              counts.join(', '),
              digits(Math.max(...probes.map(({ healedMs }) => healedMs))),
              'exactly 1',
            ],
            budgets: {
              'redis-probe':
                counts.every((count) => count === 1) &&
                probes.every(({ healedMs }) => healedMs < GIVE_UP_AFTER_MS),
            },
          },
        ],
      },
    ],
    figures: [
      figure('admission, Redis runs', OURS, 'µs', running.best, running.p90),
      figure('admission, Redis halted', OURS, 'µs', halted.best, halted.p90),
    ],
    results: { admission, trips, probes },
  };
}
