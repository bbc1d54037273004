// Turns of the event loop without anything to wait for, after which nothing can happen any more.
const idleTurns = 200;

let unhandled;
const keep = (error) => {
  unhandled ??= error instanceof Error ? error : new Error(String(error));
};
process.on('unhandledRejection', keep);
process.on('uncaughtException', keep);

/** Returns what a test fails with, if it does. */
export async function runTest({ body, before, after }, limitMs) {
  unhandled = undefined;
  let failure;
  try {
    for (const hook of before) await ended(hook(), limitMs);
    await ended(body(), limitMs);
  } catch (error) {
    failure = error ?? new Error('failed with nothing');
  }
  try {
    for (const hook of after) await ended(hook(), limitMs);
  } catch (error) {
    failure ??= error;
  }
  return failure ?? unhandled;
}

/** A test that waits for what cannot happen any more fails at once: many mutants make one wait for ever. */
async function ended(result, limitMs) {
  if (typeof result?.then !== 'function') return;
  let isEnded = false;
  const settled = Promise.resolve(result).finally(() => {
    isEnded = true;
  });
  settled.catch(() => undefined);
  const start = performance.now();
  for (let idle = 0; !isEnded;) {
    await new Promise((resolve) => setImmediate(resolve));
    idle = process.getActiveResourcesInfo().includes('Timeout') ? 0 : idle + 1;
    if (isEnded) break;
    if (idle > idleTurns) throw new Error('waits for what never happens');
    if (performance.now() - start > limitMs) throw new Error('takes too long');
  }
  await settled;
}
