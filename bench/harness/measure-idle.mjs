// One kind of idle circuits in a process of its own: `measure-idle.mjs <name> <count> <memory | unused | idling>`.
import { createHook } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { idleCircuits } from '../idle-circuits.mjs';

const [name, wanted, what] = process.argv.slice(2);
const count = Number(wanted);
const { begin } = idleCircuits.find((one) => one.name === name);
/** Long enough for timers that end by themselves. */
const SETTLE_MS = 100;
const IDLE_MS = 2000;

const measure = { memory: measureMemory, unused: measureUnused, idling: measureIdling }[what];
process.send(await measure(), () => process.exit());

async function fill(size) {
  const circuits = begin();
  for (let number = 0; number < size; number++) await circuits.use(number);
  return circuits;
}

async function measureMemory() {
  // Code, and what it learns, is loaded once and is no circuit's.
  await fill(1000);
  const before = await usedBytes();
  const circuits = await fill(count);
  const bytes = ((await usedBytes()) - before) / count;
  return { bytes, isRight: circuits.count() === count };
}

/** Circuits that have seen no call. */
async function measureUnused() {
  const make = (size) => {
    const circuits = begin();
    for (let number = 0; number < size; number++) circuits.add(number);
    return circuits;
  };
  make(1000);
  const before = await usedBytes();
  const circuits = make(count);
  const bytes = ((await usedBytes()) - before) / count;
  return { bytes, isRight: circuits.count() === 0 };
}

async function usedBytes() {
  await wait(SETTLE_MS);
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Counted as they come and go: what Node tells of active timers leaves out those that keep no process alive. */
async function measureIdling() {
  const timers = new Set();
  let isFilling = true;
  const init = (id, type) => {
    if (isFilling && type === 'Timeout') timers.add(id);
  };
  const hook = createHook({ init, destroy: (id) => timers.delete(id) }).enable();
  const circuits = await fill(count);
  isFilling = false;
  await wait(SETTLE_MS);
  hook.disable();

  globalThis.gc();
  const cpuBefore = process.cpuUsage();
  await wait(IDLE_MS);
  const { user, system } = process.cpuUsage(cpuBefore);
  const idleCpu = (user + system) / 1000 / IDLE_MS;
  return { timers: timers.size, idleCpu, isRight: circuits.count() === count };
}
