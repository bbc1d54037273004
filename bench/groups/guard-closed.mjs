import { CircuitBreaker, Executor } from '../core.mjs';
import {
  cockatielBreaker,
  cockatielRules,
  cockatielStack,
  label,
  mollitiaCircuit,
  mollitiaRules,
  mollitiaStack,
  Opossum,
  RETRIES,
  TIMEOUT_MS,
} from '../guard-peers.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { cpuFigure, OURS } from '../harness/figures.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'What a call costs that succeeds at once, in microseconds of the processor; the time by the clock stands beside it. The work is an async function that returns a tool result. Budgets: timeout, breaker and retry together at most 0.6 µs over a bare await, and a tenth of the same stack in cockatiel; our breaker alone no slower than the sampling breaker of cockatiel. What the seed documents say of their own breaker (Python, another machine) stands beside ours: 0.73 ms measured, 100 µs by design.';

const STACK_BUDGET_US = 0.6;
const MIN_RATIO = 10;

const RESULT = Object.freeze({ content: [{ type: 'text', text: 'done' }] });
const work = async () => RESULT;
const isResult = (answer) => answer === RESULT;

const executor = new Executor({
  name: 'work',
  timeoutMs: TIMEOUT_MS,
  circuits: [new CircuitBreaker('work')],
  retry: { maxRetries: RETRIES },
});
const breaker = new CircuitBreaker('alone');

const BARE = { name: 'bare await', run: work, isRight: isResult };
const RUN = {
  name: 'holdfast Executor.run',
  run: () => executor.run(work),
  isRight: ({ ok, value }) => ok && value === RESULT,
};
const CALL = { name: 'holdfast Executor.call', run: () => executor.call(work), isRight: isResult };
const PEER_STACK = contestant('cockatiel', '', cockatielStack());
const stack = [BARE, RUN, CALL, PEER_STACK, contestant('mollitia', '', mollitiaStack(work))];

const ALONE = {
  name: 'holdfast CircuitBreaker.call',
  run: () => breaker.call(work),
  isRight: isResult,
};
const SAMPLING = contestant('cockatiel', ', sampling', cockatielBreaker(cockatielRules.sampling()));
const breakers = [
  BARE,
  ALONE,
  {
    name: 'holdfast acquire and settle',
    run: async () => {
      const permit = breaker.acquire();
      const result = await work();
      breaker.settle(permit);
      return result;
    },
    isRight: isResult,
  },
  contestant('cockatiel', ', consecutive', cockatielBreaker(cockatielRules.consecutive())),
  SAMPLING,
  contestant('cockatiel', ', count of 100', cockatielBreaker(cockatielRules.count())),
  opossum('', {}),
  opossum(', no timeout', { timeout: false }),
  contestant('mollitia', ', count of 100', mollitiaCircuit(work, mollitiaRules.count())),
  contestant('mollitia', ', 60 s', mollitiaCircuit(work, mollitiaRules.time())),
];

function contestant(peer, what, policy) {
  // mollitia has been given the work already, and passes on what it is called with.
  const run = peer === 'mollitia' ? () => policy.execute() : () => policy.execute(work);
  return { name: `${label(peer)}${what}`, run, isRight: isResult };
}

/** A new one for each batch: it keeps the duration of every call, and sorts all of them once a second. */
function opossum(what, options) {
  let circuit;
  return {
    name: `${label('opossum')}${what}`,
    prepare: () => {
      circuit?.shutdown();
      circuit = new Opossum(work, options);
    },
    run: () => circuit.fire(),
    isRight: isResult,
  };
}

export async function run() {
  const inStack = await alternateAsync(stack, {
    settled: (now) => stack.every((one) => judgeStack(one, now)?.isMet ?? true),
  });
  // A fixed number, because the two are close: to measure on only while ours looks slower would favour us.
  const alone = await alternateAsync(breakers, { batches: 80 });
  return {
    tables: [
      toTable('Timeout, breaker and retry', stack, inStack, { ours: RUN, judge: judgeStack }),
      toTable('The breaker alone', breakers, alone, { ours: ALONE, judge: judgeAlone }),
    ],
    figures: [
      ...stack.map(({ name }) => toFigure('timeout, breaker and retry', inStack[name])),
      ...breakers.map(({ name }) => toFigure('breaker alone', alone[name])),
    ],
    results: { inStack, alone },
  };
}

/** Ours are told apart by what is called, peers by their rule. */
function toFigure(what, result) {
  const [of, ...how] = result.name.split(/(?<=^holdfast) |, /);
  return cpuFigure([what, ...how].join(', '), of === OURS ? OURS : result.name, result);
}

function judgeStack({ name }, results) {
  const net = netOf(results);
  if (name === RUN.name || name === CALL.name)
    return {
      id: 'guard-over-await',
      limit: `≤ ${STACK_BUDGET_US} µs over`,
      isMet: net(name) <= STACK_BUDGET_US,
    };
  if (name !== PEER_STACK.name) return undefined;
  const ratio = net(name) / Math.max(net(RUN.name), net(CALL.name));
  return {
    id: 'guard-cockatiel',
    limit: `≥ ${MIN_RATIO}x run and call`,
    isMet: ratio >= MIN_RATIO,
  };
}

function judgeAlone({ name }, results) {
  if (name !== ALONE.name) return undefined;
  const isMet = results[name].cpu <= results[SAMPLING.name].cpu;
  return { id: 'breaker-sampling', limit: '≤ cockatiel, sampling', isMet };
}

/** What a contestant costs more than awaiting the work itself. */
const netOf = (results) => (name) => results[name].cpu - results[BARE.name].cpu;

function toTable(title, contestants, results, { ours, judge }) {
  const net = netOf(results);
  const rows = contestants.map((one) => {
    const { name } = one;
    const result = results[name];
    const verdict = judge(one, results);
    return {
      cells: [
        mark(result, name),
        digits(result.cpu),
        cpuSpreadOf(result),
        digits(result.min),
        name === BARE.name ? '' : digits(net(name)),
        name === BARE.name ? '' : times(net(name) / net(ours.name)),
        name === ALONE.name ? '0.73 ms; < 100 µs' : '',
        verdict?.limit ?? '',
      ],
      ...(verdict && { budgets: { [verdict.id]: result.isRight && verdict.isMet } }),
    };
  });
  const columns = [
    'what',
    'CPU µs',
    'spread',
    'clock µs',
    'over bare µs',
    'over bare / ours',
    'the seed says',
    'limit',
  ];
  return { title, columns, rows };
}
