// One replica of a fleet, as a process of its own: calls a tool behind circuits that it shares through Redis.
import { createClient } from '@redis/client';
import { CircuitFleet, Circuits, Executor, systemClock } from '@holdfast/core/guard';
import type { GuardEvent } from '@holdfast/core/guard';
import { RedisCircuitStore } from '@holdfast/core/redis';
import type { ReplicaCounts, ReplicaOrder, ReplicaSetup } from './fleet-replica.ts';

const setup = JSON.parse(process.argv[2] ?? '') as ReplicaSetup;
const { url, replica, skewMs } = setup;

/** As on a machine whose clock is wrong. */
const clock = { ...systemClock, wallTime: () => systemClock.wallTime() + skewMs };
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
let hangsFor = 0;
let isCalling = false;
let names: readonly string[] = [];
let paceMs = 20;
const counts = new Map<string, { calls: number; probes: number; refused: number }>();
let unhandled = 0;
process.on('unhandledRejection', () => unhandled++);

async function tool(): Promise<string> {
  await wait(hangsFor > 0 ? hangsFor : Math.random() * 10);
  if (isFailing) throw Object.assign(new Error('Bad Gateway'), { status: 502 });
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

/** Makes one call. Whether it was let through is told at once, before it ends. */
function call(name: string): void {
  const count = counts.get(name) ?? { calls: 0, probes: 0, refused: 0 };
  counts.set(name, count);
  const before = count.calls;
  const run = executorOf(name).run(() => {
    count.calls++;
    return tool();
  });
  if (count.calls === before) count.refused++;
  void run.then(({ isProbe, attempts }) => {
    if (isProbe && attempts > 0) count.probes++;
  });
}

/** Calls all circuits at random moments until it is told to stop. */
async function callOnAndOn(): Promise<void> {
  while (isCalling) {
    for (const name of names) if (Math.random() < 0.5) call(name);
    await wait(paceMs * (0.5 + Math.random()));
  }
}

/** How long admission takes, in milliseconds: the time of which 99 in 100 stay below. */
function admissionP99(): number {
  const circuit = circuits.get('admission');
  const took = Array.from({ length: 20_000 }, () => {
    const startedAt = performance.now();
    const admission = circuit.acquire();
    const ms = performance.now() - startedAt;
    if (!('isRefused' in admission)) circuit.release(admission);
    return ms;
  }).sort((a, b) => a - b);
  return took[Math.floor(took.length * 0.99)] ?? 0;
}

function look(): ReplicaCounts {
  const status = fleet.status();
  return {
    counts: Object.fromEntries(counts),
    states: Object.fromEntries(circuits.list().map(({ name, state }) => [name, state])),
    openings: Object.fromEntries(
      status.circuits.map(({ name, shared }) => [name, shared?.openings ?? 0]),
    ),
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
        hangsFor = hangsFor,
        names = names,
        paceMs = paceMs,
      } = order.settings);
      if (order.settings.circuit !== undefined)
        for (const name of names) circuits.configureCircuit(name, order.settings.circuit);
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
    case 'admission':
      answer(admissionP99());
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
