import { CircuitBreaker, CircuitOpenError, Executor } from '../core.mjs';
import {
  cockatiel,
  cockatielBreaker,
  label,
  mollitia,
  mollitiaCircuit,
  mollitiaRules,
  OPEN_MS,
  Opossum,
  RETRIES,
  TIMEOUT_MS,
} from '../guard-peers.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { cpuFigure, OURS } from '../harness/figures.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'What a call costs that an open circuit refuses, in microseconds of the processor; the time by the clock stands beside it. Budget: a refusal as a value at most 0.25 µs, which is net of the await where there is one. As an error it cannot be cheap: most of the price is the stack that every `Error` takes down, and the rejected promise. The seed documents say 100 µs by design of their own breaker (Python).';

const BUDGET_US = 0.25;

const work = async () => 'must not be called';
const failure = new Error('out of order');
const fail = async () => {
  throw failure;
};

const breaker = new CircuitBreaker('work', { consecutiveFailures: 1, openForMs: OPEN_MS });
const executor = new Executor({
  name: 'work',
  timeoutMs: TIMEOUT_MS,
  circuits: [breaker],
  retry: { maxRetries: RETRIES },
});
await breaker.call(fail).catch(() => {});

const BARE = { name: 'bare await', run: async () => failure, isRight: (one) => one === failure };
const values = [
  BARE,
  {
    name: 'holdfast Executor.run',
    run: () => executor.run(work),
    isRight: ({ ok, refusal }) => !ok && refusal.circuit === 'work' && refusal.retryAfterMs > 0,
  },
  {
    name: 'holdfast CircuitBreaker.acquire',
    isSync: true,
    run: () => breaker.acquire(),
    isRight: ({ isRefused, retryAfterMs }) => isRefused && retryAfterMs > 0,
  },
];

const isOurs = (error) => error instanceof CircuitOpenError;
const CALL = throwing('holdfast CircuitBreaker.call', () => breaker.call(work), isOurs);
const errors = [
  throwing(
    'bare throw',
    async () => {
      throw new Error('refused');
    },
    ({ message }) => message === 'refused',
  ),
  throwing('holdfast Executor.call', () => executor.call(work), isOurs),
  CALL,
  throwing(label('cockatiel'), await openCockatiel(), isOf(cockatiel.BrokenCircuitError)),
  throwing(label('opossum'), openOpossum(), ({ code }) => code === 'EOPENBREAKER'),
  throwing(label('mollitia'), await openMollitia(), isOf(mollitia.BreakerError)),
];

/** A call that must be refused; what it throws is what it answers. */
function throwing(name, call, isRight) {
  const run = async () => {
    try {
      return await call();
    } catch (error) {
      return error;
    }
  };
  return { name, run, isRight };
}

function isOf(kind) {
  return (error) => error instanceof kind;
}

async function openCockatiel() {
  const policy = cockatielBreaker(new cockatiel.ConsecutiveBreaker(1));
  await policy.execute(fail).catch(() => {});
  return () => policy.execute(work);
}

function openOpossum() {
  const circuit = new Opossum(work, { resetTimeout: OPEN_MS });
  circuit.open();
  return () => circuit.fire();
}

async function openMollitia() {
  const rule = mollitiaRules.count();
  await rule.open();
  const circuit = mollitiaCircuit(work, rule);
  return () => circuit.execute();
}

export async function run() {
  const asValue = await alternateAsync(values, {
    settled: (now) => values.every(({ name }) => name === BARE.name || isCheap(now, name)),
  });
  const asError = await alternateAsync(errors);
  const figures = [
    ...Object.values(asValue).map((result) => toFigure('refusal as a value', result)),
    ...Object.values(asError).map((result) => toFigure('refusal as an error', result)),
  ];
  const tables = [toValueTable(asValue), toErrorTable(asError)];
  return { tables, figures, results: { asValue, asError } };
}

function toFigure(what, result) {
  const [of, ...how] = result.name.split(/(?<=^holdfast) /);
  return cpuFigure([what, ...how].join(', '), of === OURS ? OURS : result.name, result);
}

const isCheap = (results, name) => results[name].isRight && netOf(results, name) <= BUDGET_US;

/** Where nothing is awaited there is nothing to take off. */
function netOf(results, name) {
  const { isSync = false } = values.find((one) => one.name === name);
  return results[name].cpu - (isSync ? 0 : results[BARE.name].cpu);
}

function toValueTable(results) {
  const rows = values.map(({ name }) => {
    const isBare = name === BARE.name;
    return {
      cells: [
        mark(results[name], name),
        digits(results[name].cpu),
        cpuSpreadOf(results[name]),
        digits(results[name].min),
        isBare ? '' : digits(netOf(results, name)),
        isBare ? '' : '< 100 µs',
        isBare ? '' : `≤ ${BUDGET_US} µs net`,
      ],
      ...(!isBare && { budgets: { 'refusal-as-value': isCheap(results, name) } }),
    };
  });
  const columns = ['what', 'CPU µs', 'spread', 'clock µs', 'net µs', 'the seed says', 'limit'];
  return { title: 'As a value', columns, rows };
}

function toErrorTable(results) {
  const rows = errors.map(({ name }) => ({
    cells: [
      mark(results[name], name),
      digits(results[name].cpu),
      cpuSpreadOf(results[name]),
      digits(results[name].min),
      times(results[name].cpu / results[CALL.name].cpu),
    ],
  }));
  const columns = ['what', 'CPU µs', 'spread', 'clock µs', 'CPU / ours'];
  return { title: 'As an error', columns, rows };
}
