// A thousand calls of a service that has died: retries are paid for, so they do not triple its load.
import assert from 'node:assert/strict';
import { RetryBudget, withRetry } from '@holdfast/core/guard';
import { createRandom, ManualClock } from '@holdfast/core/testing';

const clock = new ManualClock();
const random = createRandom(1);
const down = Object.assign(new Error('Service Unavailable'), { status: 503 });

/** Makes calls, 100 a second, and returns how often the service was really asked. */
async function load(calls: number, budget: RetryBudget | false): Promise<number> {
  let asked = 0;
  const running: Promise<unknown>[] = [];
  for (let call = 0; call < calls; call++) {
    const work = (): never => {
      asked++;
      throw down;
    };
    running.push(
      withRetry(work, { maxRetries: 2, budget }, { clock, random }).catch(() => undefined),
    );
    await clock.advance(10);
  }
  await clock.advance(60_000);
  await Promise.all(running);
  return asked;
}

const without = await load(1000, false);
const budget = new RetryBudget();
const withBudget = await load(1000, budget);

console.log(`1000 calls, 2 retries each, no budget: asked ${without} times`);
console.log(`1000 calls, 2 retries each, a budget:  asked ${withBudget} times`);

assert.equal(without, 3000);
// 100 retries that a full budget pays for, and three a second that are free.
assert(withBudget < 1200);
