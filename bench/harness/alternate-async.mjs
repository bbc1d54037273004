import { setImmediate } from 'node:timers/promises';
import { quantile, summarise, timeYardstick } from './alternate.mjs';

/**
 * The twin of `alternate` for work that answers with a promise. It counts the time of the processor beside
 * the time of the clock: a neighbour on the machine stops the second, never the first. The processor's time
 * has the collector's threads in it too, and is what is compared.
 *
 * Batches are longer than those of `alternate`, so that each collects the garbage it makes; the minimum of
 * batches without a collection would be a price that nobody pays.
 */

/** Keeps results alive, so that no contestant's work can be optimised away. */
let sink;

/**
 * @param contestants `{ name, run, isRight?, isSync?, prepare?, operations? }`: `run` does the work once,
 *   `isRight` judges what it answered. `prepare` runs before every batch and is not timed; with `operations` a
 *   batch has that many instead of those that fill `batchMs`.
 * @param options `settled` is asked after the last round: while it says no, up to twice as many rounds follow.
 */
export async function alternateAsync(contestants, options = {}) {
  const { batches = 40, batchMs = 20, warmUpMs = 200, settled = () => true } = options;
  const timed = [];
  for (const contestant of contestants) {
    await contestant.prepare?.();
    const isRight = contestant.isRight(await contestant.run());
    const operations = await calibrate(contestant, batchMs, warmUpMs);
    timed.push({ ...contestant, isRight, operations, samples: [] });
  }
  const playRound = async (round) => {
    for (let at = 0; at < timed.length; at++) {
      const contestant = timed[(at + round) % timed.length];
      await contestant.prepare?.();
      // Timers that are due, and what was left to be finalised, are nobody's batch.
      await setImmediate();
      const before = timeYardstick();
      const sample = await timeBatch(contestant, contestant.operations);
      contestant.samples.push({ ...sample, yardstick: Math.max(before, timeYardstick()) });
    }
  };
  for (let round = 0; round < batches; round++) await playRound(round);
  let results = summariseBoth(timed);
  for (let extra = 0; extra < 4 && !settled(results); extra++) {
    for (let round = 0; round < batches / 2; round++) await playRound(round);
    results = summariseBoth(timed);
  }
  return results;
}

async function calibrate(contestant, batchMs, warmUpMs) {
  const warmUpUntil = performance.now() + warmUpMs;
  let operations = contestant.operations ?? 1;
  for (let isEnough = false; !isEnough;) {
    await contestant.prepare?.();
    await setImmediate();
    const batch = (await timeBatch(contestant, operations)).cpu * operations;
    const isFull = batch >= (batchMs * 1000) / 2;
    isEnough = performance.now() >= warmUpUntil && (isFull || contestant.operations !== undefined);
    if (contestant.operations !== undefined) continue;
    operations = isFull ? Math.round((operations * batchMs * 1000) / batch) : operations * 2;
  }
  return Math.max(1, operations);
}

/** Microseconds for one operation, by the clock and of the processor. */
async function timeBatch({ run, isSync = false }, operations) {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  if (isSync) for (let count = 0; count < operations; count++) sink = run();
  else for (let count = 0; count < operations; count++) sink = await run();
  const time = ((performance.now() - start) * 1000) / operations;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { time, cpu: (user + system) / operations };
}

function summariseBoth(timed) {
  const results = summarise(timed);
  for (const { name, samples } of timed) {
    const sorted = samples.map(({ cpu }) => cpu).sort((a, b) => a - b);
    Object.assign(results[name], { cpu: sorted[0], cpuP90: quantile(sorted, 0.9) });
  }
  return results;
}

/** Something read from `sink` has to leave the module, or it would be dead too. */
export const lastResult = () => sink;
