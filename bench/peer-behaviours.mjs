// What breakers do in the cases that docs/comparison.md and the pages for those who come from elsewhere speak of:
// node bench/peer-behaviours.mjs [--write]. Real time, a second or two; nothing here is a measurement of speed.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import * as cockatiel from 'cockatiel-4';
import * as holdfast from './core.mjs';

const Opossum = createRequire(import.meta.url)('opossum-10');

const OPEN_MS = 40;
const nothing = () => undefined;
const fails = () => Promise.reject(new Error('HTTP 503'));
const never = () => new Promise(nothing);

/** A promise with its ends. */
function deferred() {
  const ends = {};
  const promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  promise.catch(nothing);
  return { promise, ...ends };
}

/** Each contestant in the same shape: `call` rejects where the call fails or is refused. */
const contestants = {
  holdfast: {
    label: 'Holdfast',
    make({ failures, ignores, timeoutMs } = {}) {
      const breaker = new holdfast.CircuitBreaker('peer', {
        openForMs: OPEN_MS,
        // A trial that says nothing for so long loses its place.
        probeLeaseMs: OPEN_MS,
        ...(failures === undefined ? {} : { consecutiveFailures: failures }),
        ...(ignores ? { counts: { 'tool-error': false } } : {}),
      });
      const executor = new holdfast.Executor({
        circuits: [breaker],
        timeoutMs: timeoutMs ?? Infinity,
      });
      return {
        call: (work, signal) => executor.call((context) => work(context.signal), { signal }),
        state: () => breaker.state,
        breaker,
      };
    },
    retry: (work, signal) =>
      holdfast.withRetry(
        work,
        { maxRetries: 1, initialDelayMs: 200, jitter: 'none', retryOn: () => true },
        { signal },
      ),
    when: (error) => error.retryAfterMs,
  },
  cockatiel: {
    label: 'cockatiel 4.0.0',
    make({ failures = 5, ignores, timeoutMs } = {}) {
      const handled = ignores
        ? cockatiel.handleWhen((error) => error.message === 'HTTP 503')
        : cockatiel.handleAll;
      const breaker = cockatiel.circuitBreaker(handled, {
        halfOpenAfter: OPEN_MS,
        breaker: new cockatiel.ConsecutiveBreaker(failures),
      });
      const policy =
        timeoutMs === undefined
          ? breaker
          : cockatiel.wrap(
              breaker,
              cockatiel.timeout(timeoutMs, cockatiel.TimeoutStrategy.Aggressive),
            );
      const states = ['closed', 'open', 'half-open', 'open'];
      return {
        call: (work, signal) => policy.execute((context) => work(context.signal), signal),
        state: () => states[breaker.state],
      };
    },
    retry: (work, signal) =>
      cockatiel
        .retry(cockatiel.handleAll, {
          maxAttempts: 1,
          backoff: new cockatiel.ConstantBackoff(200),
        })
        .execute(work, signal),
    when: (error) => error.retryAfterMs ?? error.retryAfter,
  },
  opossum: {
    label: 'opossum 10.0.0',
    make({ failures, ignores, timeoutMs } = {}) {
      const abortController = new AbortController();
      const breaker = new Opossum((work) => work(abortController.signal), {
        timeout: timeoutMs ?? false,
        resetTimeout: OPEN_MS,
        ...(failures === undefined ? {} : { volumeThreshold: failures }),
        ...(ignores ? { errorFilter: (error) => error.message !== 'HTTP 503' } : {}),
        ...(timeoutMs === undefined ? {} : { abortController }),
      });
      return {
        call: (work) => breaker.fire(work),
        state: () => (breaker.opened ? 'open' : breaker.halfOpen ? 'half-open' : 'closed'),
        breaker,
        end: () => breaker.shutdown(),
      };
    },
    when: (error) => error.retryAfterMs ?? error.retryAfter,
  },
};

/** Opens it: so many failures as it takes. */
async function open(one) {
  for (let call = 0; call < 3 && one.state() !== 'open'; call++)
    await one.call(fails).catch(nothing);
}

/** Opens it while a call from before is still under way, and waits until it may be tried. */
async function openWithOneUnderWay(one) {
  const early = deferred();
  const call = one.call(() => early.promise);
  call.catch(nothing);
  await open(one);
  await sleep(OPEN_MS + 20);
  return { early, call };
}

const cases = {
  'the very first call fails, with the defaults': async ({ make }) => {
    const one = make();
    await one.call(fails).catch(nothing);
    return one.state() === 'open' ? 'opens' : 'stays closed';
  },
  'the caller aborts two calls of a breaker that opens at two': async ({ label, make }) => {
    if (label.startsWith('opossum')) return 'takes no signal of a caller';
    const one = make({ failures: 2 });
    for (let call = 0; call < 2; call++) {
      const work = (signal) => {
        signal.throwIfAborted();
      };
      await one.call(work, AbortSignal.abort()).catch(nothing);
    }
    return one.state() === 'open' ? 'opens' : 'stays closed';
  },
  'the caller aborts while a retry waits': async ({ retry }) => {
    if (retry === undefined) return 'has no retry';
    const controller = new AbortController();
    let attempts = 0;
    setTimeout(() => controller.abort(), 20);
    const work = () => {
      attempts++;
      return fails();
    };
    await retry(work, controller.signal).catch(nothing);
    return attempts > 1 ? 'makes one attempt more' : 'ends at once';
  },
  'a call from before it opened succeeds while a trial runs': async ({ make }) => {
    const one = make({ failures: 2 });
    const { early, call } = await openWithOneUnderWay(one);
    const trial = one.call(never);
    trial.catch(nothing);
    early.resolve('late');
    await call.catch(nothing);
    return one.state() === 'closed' ? 'closes' : 'changes nothing';
  },
  'a call from before it opened fails while a trial runs': async ({ make }) => {
    const one = make({ failures: 2 });
    const { early, call } = await openWithOneUnderWay(one);
    const trial = one.call(never);
    trial.catch(nothing);
    early.reject(new Error('HTTP 503'));
    await call.catch(nothing);
    return one.state() === 'open' ? 'opens again' : 'changes nothing';
  },
  'the trial ends in an error that does not count': async ({ make }) => {
    const one = make({ failures: 2, ignores: true });
    const down = () => Promise.reject(Object.assign(new Error('HTTP 503'), { status: 503 }));
    for (let call = 0; call < 3; call++) await one.call(down).catch(nothing);
    await sleep(OPEN_MS + 20);
    await one.call(() => Promise.reject(new Error('not that kind'))).catch(nothing);
    return one.state() === 'closed' ? 'closes' : 'tries with the next call';
  },
  'a call beside the trial': async ({ make }) => {
    const one = make({ failures: 2 });
    await open(one);
    await sleep(OPEN_MS + 20);
    one.call(never).catch(nothing);
    let ran = false;
    const beside = one.call(() => {
      ran = true;
    });
    const ended = await Promise.race([beside.then(nothing, () => 'refused'), sleep(10, 'waits')]);
    return ran ? 'passes' : (ended ?? 'passes');
  },
  'a trial that never ends, without a timeout': async ({ make }) => {
    const one = make({ failures: 2 });
    await open(one);
    await sleep(OPEN_MS + 20);
    one.call(never).catch(nothing);
    await sleep(3 * OPEN_MS);
    const next = one.call(() => 'well');
    const ended = await Promise.race([next.catch(() => 'refused'), sleep(20, 'waits')]);
    if (ended === 'well') return 'loses its place after `probeLeaseMs`';
    return ended === 'waits' ? 'holds it: the next call waits' : 'holds it: the next is refused';
  },
  'one of two calls times out': async ({ make }) => {
    const one = make({ failures: 5, timeoutMs: 30 });
    one.call(never).catch(nothing);
    await sleep(20);
    let aborted;
    one
      .call(async (signal) => {
        await sleep(20);
        aborted = signal?.aborted === true;
      })
      .catch(nothing);
    await sleep(25);
    return aborted ? 'the other is aborted too' : 'the other goes on';
  },
  'the error of a refusal': async ({ make, when }) => {
    const one = make({ failures: 2 });
    await open(one);
    const error = await one.call(fails).catch((thrown) => thrown);
    return typeof when(error) === 'number' ? 'says when to come back' : 'does not say when';
  },
  'a result that says isError': async ({ make }) => {
    const one = make({ failures: 2 });
    for (let call = 0; call < 3; call++)
      await one.call(async () => ({ isError: true, content: [] })).catch(nothing);
    return one.state() === 'open' ? 'counts' : 'is a success';
  },
};

const peers = Object.values(contestants);
const lines = [
  `| case | ${peers.map(({ label }) => label).join(' | ')} |`,
  `| --- | ${peers.map(() => '---').join(' | ')} |`,
];
for (const [name, run] of Object.entries(cases)) {
  const cells = [];
  for (const peer of peers) cells.push(await run(peer));
  lines.push(`| ${name} | ${cells.join(' | ')} |`);
}
console.log(lines.join('\n'));
if (process.argv.includes('--write')) {
  const head = `# What breakers do\n\nWritten by \`node bench/peer-behaviours.mjs --write\`, on Node ${process.version}.\n\n`;
  writeFileSync(
    new URL('results/peer-behaviours.md', import.meta.url),
    `${head}${lines.join('\n')}\n`,
  );
}
process.exit(0);
