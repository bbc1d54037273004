import { Executor, withRetry, withTimeout } from '../core.mjs';
import {
  cockatiel,
  label,
  mollitia,
  mollitiaCircuit,
  pRetry,
  RETRIES,
  TIMEOUT_MS,
} from '../guard-peers.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { cpuFigure, OURS } from '../harness/figures.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'Retry and timeout alone, in microseconds of the processor; the time by the clock stands beside it. A call that succeeds at once, behind a retry of two more attempts; one that fails once and is made again with a delay of 0 ms, for which all but p-retry wait for a timer, which is in the time by the clock; and one that succeeds at once behind a timeout. No budget: all three together have one, in `guard-closed`.';

/** Calls in a batch where each waits for a timer. */
const TIMED_OPERATIONS = 50;

const work = async () => 'done';
const isDone = (answer) => answer === 'done';
const failure = Object.assign(new Error('the upstream server is out of order'), { status: 503 });

/** Work that fails every other time it is called. */
function everyOther() {
  let calls = 0;
  return async () => {
    if (calls++ % 2 === 0) throw failure;
    return 'done';
  };
}

const BARE = { name: 'bare await', run: work, isRight: isDone };

/** What has to be told once; `retry` gives what runs work behind it. */
function retriers() {
  const executor = new Executor({
    name: 'work',
    timeoutMs: Infinity,
    retry: { maxRetries: RETRIES, initialDelayMs: 0, jitter: 'none', budget: false },
  });
  const options = { maxRetries: RETRIES, initialDelayMs: 0, jitter: 'none', budget: false };
  const policy = cockatiel.retry(cockatiel.handleAll, {
    maxAttempts: RETRIES,
    backoff: new cockatiel.ConstantBackoff(0),
  });
  return [
    { name: 'holdfast withRetry', retry: (given) => () => withRetry(given, options) },
    { name: 'holdfast Executor.call', retry: (given) => () => executor.call(given) },
    {
      name: label('p-retry'),
      retry: (given) => () => pRetry(given, { retries: RETRIES, minTimeout: 0 }),
    },
    { name: label('cockatiel'), retry: (given) => () => policy.execute(given) },
    {
      name: label('mollitia'),
      retry: (given) => {
        const circuit = mollitiaCircuit(
          given,
          new mollitia.Retry({ attempts: RETRIES, interval: 0 }),
        );
        return () => circuit.execute();
      },
    },
  ];
}

function timers() {
  const policy = cockatiel.timeout(TIMEOUT_MS, cockatiel.TimeoutStrategy.Aggressive);
  const circuit = mollitiaCircuit(work, new mollitia.Timeout({ delay: TIMEOUT_MS }));
  return [
    { name: 'holdfast withTimeout', run: () => withTimeout(work, TIMEOUT_MS) },
    { name: label('cockatiel'), run: () => policy.execute(work) },
    { name: label('mollitia'), run: () => circuit.execute() },
  ];
}

export async function run() {
  const contests = {
    'Retry, succeeds at once': retriers().map(({ name, retry }) => ({ name, run: retry(work) })),
    'Retry, succeeds the second time': retriers().map(({ name, retry }) => ({
      name,
      run: retry(everyOther()),
      // A timer of Node takes a millisecond at least, which is hardly any time of the processor.
      operations: TIMED_OPERATIONS,
    })),
    'Timeout, succeeds at once': timers(),
  };
  const results = {};
  for (const [title, contestants] of Object.entries(contests)) {
    const all = [BARE, ...contestants.map((one) => ({ ...one, isRight: isDone }))];
    results[title] = await alternateAsync(all);
  }
  return {
    tables: Object.entries(results).map(([title, measured]) => toTable(title, measured)),
    figures: Object.entries(results).flatMap(([title, measured]) =>
      Object.values(measured).map((result) => toFigure(title, result)),
    ),
    results,
  };
}

function toFigure(title, result) {
  const isOurs = result.name.startsWith(OURS);
  const name = isOurs ? `${title}, ${result.name.slice(OURS.length + 1)}` : title;
  return cpuFigure(name, isOurs ? OURS : result.name, result);
}

function toTable(title, measured) {
  const results = Object.values(measured);
  const bare = measured[BARE.name];
  const ours = results.find(({ name }) => name.startsWith(OURS));
  const net = (result) => result.cpu - bare.cpu;
  const rows = results.map((result) => ({
    cells: [
      mark(result, result.name),
      digits(result.cpu),
      cpuSpreadOf(result),
      digits(result.min),
      result === bare ? '' : digits(net(result)),
      result === bare ? '' : times(net(result) / net(ours)),
    ],
  }));
  const columns = ['what', 'CPU µs', 'spread', 'clock µs', 'over bare µs', 'over bare / ours'];
  return { title, columns, rows };
}
