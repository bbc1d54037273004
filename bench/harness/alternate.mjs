/**
 * Times contestants in alternating batches within one process.
 *
 * Why no benchmark library: those run one contestant to its end and then the next, and report means or
 * medians. On a shared machine the median of the same work moves by a fifth between two runs, while the
 * minimum of many short batches moves by less than a hundredth. So every round runs one batch of each
 * contestant, whatever slows the machine slows all of them, and minima are compared.
 *
 * Where a budget is a median, it is the median of the batches in which the machine ran at its own speed: a
 * fixed piece of work is timed before and after each batch, and a batch beside which that took a fifth longer
 * than it can tells of the neighbours, not of us.
 */

/** Keeps results alive, so that no contestant's work can be optimised away. */
let sink;

/**
 * @param contestants `{ name, run, isRight? }`: `run` does the work once; `isRight` judges what it returned.
 * @param options `settled` is asked after the last round: while it says no, up to twice as many rounds follow,
 *   since a minimum can only come down to the truth.
 */
export function alternate(contestants, options = {}) {
  const { batches = 40, batchMs = 4, warmUpMs = 60, settled = () => true } = options;
  const timed = contestants.map((contestant) => {
    const isRight = contestant.isRight?.(contestant.run()) ?? true;
    return {
      ...contestant,
      isRight,
      operations: calibrate(contestant.run, batchMs, warmUpMs),
      samples: [],
    };
  });
  const playRound = (round) => {
    for (let at = 0; at < timed.length; at++) {
      // Each round begins with another contestant: none always follows the same one's garbage.
      const contestant = timed[(at + round) % timed.length];
      const before = timeYardstick();
      const time = timeBatch(contestant.run, contestant.operations);
      contestant.samples.push({ time, yardstick: Math.max(before, timeYardstick()) });
    }
  };
  for (let round = 0; round < batches; round++) playRound(round);
  let results = summarise(timed);
  for (let extra = 0; extra < 4 && !settled(results); extra++) {
    for (let round = 0; round < batches / 2; round++) playRound(round);
    results = summarise(timed);
  }
  return results;
}

function calibrate(run, batchMs, warmUpMs) {
  let runs = 0;
  const start = performance.now();
  do {
    sink = run();
    runs++;
  } while (performance.now() - start < warmUpMs);
  const again = performance.now();
  const sample = Math.max(1, Math.ceil(runs / 4));
  for (let count = 0; count < sample; count++) sink = run();
  const each = (performance.now() - again) / sample;
  return Math.max(1, Math.round(batchMs / each));
}

function timeBatch(run, operations) {
  const start = performance.now();
  for (let count = 0; count < operations; count++) sink = run();
  return ((performance.now() - start) * 1000) / operations;
}

/** A few thousand steps of what parsers do: look at characters, add numbers, make small objects. */
export function timeYardstick() {
  const start = performance.now();
  let sum = 0;
  for (let step = 0; step < 4000; step++) {
    const pair = { code: YARDSTICK_TEXT.charCodeAt(step & 63), step };
    sum = (sum + pair.code * pair.step) | 0;
  }
  sink = sum;
  return performance.now() - start;
}

const YARDSTICK_TEXT = 'the quick brown fox jumps over the lazy dog, and the dog barks.  ';
/** How much longer the yardstick may take than it can, for a batch to count in a median. */
const STEADY = 1.2;
/** A median of fewer batches would say little: then all of them count. */
const LEAST_STEADY = 8;

/** What that share of sorted values lies below. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Microseconds for one operation. */
export function summarise(timed) {
  const fastest = Math.min(...timed.flatMap(({ samples }) => samples.map((one) => one.yardstick)));
  const timesOf = (samples) => samples.map(({ time }) => time).sort((a, b) => a - b);
  return Object.fromEntries(
    timed.map(({ name, isRight, samples }) => {
      const sorted = timesOf(samples);
      const steady = timesOf(samples.filter((one) => one.yardstick <= fastest * STEADY));
      const counted = steady.length >= LEAST_STEADY ? steady : sorted;
      return [
        name,
        {
          name,
          isRight,
          batches: sorted.length,
          steady: steady.length,
          min: sorted[0],
          p10: quantile(sorted, 0.1),
          p90: quantile(sorted, 0.9),
          median: quantile(counted, 0.5),
          medianOfAll: quantile(sorted, 0.5),
        },
      ];
    }),
  );
}

/** Something read from `sink` has to leave the module, or it would be dead too. */
export const lastResult = () => sink;
