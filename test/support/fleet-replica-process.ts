// One replica of a fleet, as a process of its own: calls a tool behind circuits that it shares through Redis.
import { createClient } from '@redis/client';
import { CircuitFleet, Circuits, Executor, systemClock } from '@holdfast/core/guard';
import type { GuardEvent, SharedCircuit } from '@holdfast/core/guard';
import { RedisCircuitStore } from '@holdfast/core/redis';
import type { CallCounts, ReplicaCounts, ReplicaOrder, ReplicaSetup } from './fleet-replica.ts';

const setup = JSON.parse(process.argv[2] ?? '') as ReplicaSetup;
const { url, replica, skewMs } = setup;

/** As on a machine whose clock is wrong: for us, and for the client of Redis. */
const { now } = Date;
Date.now = () => now() + skewMs;
const clock = systemClock;
const client = createClient({
  url,
  socket: { reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 500) },
});
client.on('error', () => undefined);
void client.connect().catch(() => undefined);

const events: string[] = [];
const onEvent = ({ type }: GuardEvent): void => {
  if (type.startsWith('store-')) events.push(type);
};
const fleet = new CircuitFleet({
  store: new RedisCircuitStore({ client }),
  replica,
  clock,
  onEvent,
});
const circuits = new Circuits({ fleet });

let isFailing = true;
let broken: readonly string[] = [];
let hangsFor = 0;
let isCalling = false;
let names: readonly string[] = [];
let paceMs = 20;
const counts = new Map<string, CallCounts>();
let admissions: number[] = [];
let unhandled = 0;
process.on('unhandledRejection', () => unhandled++);

async function tool(name: string): Promise<string> {
  await wait(hangsFor > 0 ? hangsFor : Math.random() * 10);
  if (isFailing || broken.includes(name))
    throw Object.assign(new Error('Bad Gateway'), { status: 502 });
  return 'done';
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimer(resolve, ms));

const executors = new Map<string, Executor>();
function executorOf(name: string): Executor {
  let executor = executors.get(name);
  if (executor === undefined) {
    executor = new Executor({
      name,
      clock,
      timeoutMs: 2_000,
      circuits: () => [circuits.get(name)],
    });
    executors.set(name, executor);
  }
  return executor;
}

const none = (): CallCounts => ({
  made: 0,
  calls: 0,
  probes: 0,
  refused: 0,
  succeeded: 0,
  failed: 0,
});

/** Makes one call. Whether it was let through is told at once, before it ends. */
function call(name: string): void {
  const count = counts.get(name) ?? none();
  counts.set(name, count);
  count.made++;
  const executor = executorOf(name);
  const before = count.calls;
  const startedAt = performance.now();
  let admittedAt = 0;
  const run = executor.run(() => {
    admittedAt = performance.now();
    count.calls++;
    return tool(name);
  });
  const isAdmitted = count.calls > before;
  admissions.push((isAdmitted ? admittedAt : performance.now()) - startedAt);
  if (!isAdmitted) count.refused++;
  void run.then(({ ok, isProbe, attempts }) => {
    if (isProbe && attempts > 0) count.probes++;
    if (attempts === 0) return;
    if (ok) count.succeeded++;
    else count.failed++;
  });
}

/** A call that is given up before it is made: nothing is counted, and the store says how the circuit stands. */
function meet(name: string): void {
  const circuit = circuits.get(name);
  const admission = circuit.acquire();
  if (!('isRefused' in admission)) circuit.release(admission);
}

/** Calls all circuits at random moments until it is told to stop. */
async function callOnAndOn(): Promise<void> {
  while (isCalling) {
    for (const name of names) if (Math.random() < 0.5) call(name);
    await wait(paceMs * (0.5 + Math.random()));
  }
}

function look(): ReplicaCounts {
  const status = fleet.status();
  const told = (read: (shared: SharedCircuit) => number): Record<string, number> =>
    Object.fromEntries(
      status.circuits.flatMap(({ name, shared }) =>
        shared === undefined ? [] : [[name, read(shared)]],
      ),
    );
  return {
    counts: Object.fromEntries(counts),
    states: Object.fromEntries(circuits.list().map(({ name, state }) => [name, state])),
    openings: told(({ openings }) => openings),
    versions: told(({ version }) => version),
    isDegraded: status.isDegraded,
    replicas: status.replicas,
    events: [...events],
    unhandled,
    memoryBytes: process.memoryUsage().rss,
  };
}

process.on('message', (order: ReplicaOrder) => {
  const answer = (value: unknown): void => void process.send?.({ id: order.id, value });
  switch (order.op) {
    case 'set':
      ({
        isFailing = isFailing,
        broken = broken,
        hangsFor = hangsFor,
        names = names,
        paceMs = paceMs,
      } = order.settings);
      if (order.settings.circuit !== undefined)
        for (const name of names) circuits.configureCircuit(name, order.settings.circuit);
      answer(null);
      return;
    case 'meet':
      meet(order.name);
      answer(null);
      return;
    case 'call':
      call(order.name);
      answer(null);
      return;
    case 'begin':
      isCalling = true;
      void callOnAndOn();
      answer(null);
      return;
    case 'end':
      isCalling = false;
      answer(null);
      return;
    case 'admissions':
      answer(admissions);
      admissions = [];
      return;
    case 'isolate':
      circuits.get(order.name).isolate('by hand');
      answer(null);
      return;
    case 'reset':
      circuits.reset(order.name);
      answer(null);
      return;
    case 'look':
      answer(look());
      return;
    case 'close':
      isCalling = false;
      void fleet.close().then(() => {
        client.destroy();
        answer(null);
        process.disconnect();
      });
  }
});
process.send?.({ id: 0, value: 'ready' });
