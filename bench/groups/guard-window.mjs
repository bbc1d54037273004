import { CircuitBreaker, Executor } from '../core.mjs';
import {
  cockatielBreaker,
  cockatielRules,
  label,
  mollitiaCircuit,
  mollitiaRules,
  Opossum,
} from '../guard-peers.mjs';
import { alternateAsync } from '../harness/alternate-async.mjs';
import { cpuFigure, OURS } from '../harness/figures.mjs';
import { cpuSpreadOf, digits, mark, times } from '../harness/table.mjs';

export const about =
  'What a failing call costs while the window of its circuit holds 100 calls, and while it holds 10,000, in microseconds of the processor. Budget: ours at most 1.5 times as much. Each batch has new circuits with a window full of successes, and lets a few calls fail in each, too few to open it. The failure is always the same one: making an `Error` costs more than all the rest.';

const BUDGET = 1.5;
const SIZES = [100, 10_000];
/** Failures in one circuit of a batch: the window hardly grows, and a quarter of it does not open it. */
const FAILURES = 25;

const ERROR_RESULT = Object.freeze({
  isError: true,
  content: [{ type: 'text', text: 'the upstream server is out of order' }],
});
const error = Object.assign(new Error('the upstream server is out of order'), { status: 503 });
const succeed = async () => 'done';
const returnError = async () => ERROR_RESULT;
const throwError = async () => {
  throw error;
};
const catching = async (promise) => {
  try {
    return await promise;
  } catch (thrown) {
    return thrown;
  }
};

/** `make` gives what fails once, on a circuit whose window holds `size` calls. */
const kinds = [
  {
    name: 'holdfast Executor.run, result with isError',
    isOurs: true,
    circuits: 20,
    make: (size) => failInExecutor(size, returnError),
    isRight: ({ ok, value }) => !ok && value === ERROR_RESULT,
  },
  {
    name: 'holdfast Executor.run, thrown',
    isOurs: true,
    circuits: 20,
    make: (size) => failInExecutor(size, throwError),
    isRight: ({ ok, failure }) => !ok && failure.cause === error,
  },
  {
    name: 'holdfast CircuitBreaker.call, thrown',
    isOurs: true,
    circuits: 20,
    make: (size) => {
      const breaker = filledBreaker(size);
      return () => catching(breaker.call(throwError));
    },
    isRight: isError,
  },
  {
    name: `${label('cockatiel')}, sampling, thrown`,
    circuits: 8,
    make: async (size) => {
      const policy = cockatielBreaker(cockatielRules.sampling());
      for (let call = 0; call < size; call++) await policy.execute(succeed);
      return () => catching(policy.execute(throwError));
    },
    isRight: isError,
  },
  {
    name: `${label('opossum')}, thrown`,
    circuits: 1,
    make: async (size) => {
      let work = succeed;
      // Without snapshots: the circuits of earlier batches would go on making theirs.
      const circuit = new Opossum(() => work(), { timeout: false, enableSnapshots: false });
      for (let call = 0; call < size; call++) await circuit.fire();
      work = throwError;
      return () => catching(circuit.fire());
    },
    isRight: isError,
  },
  {
    name: `${label('mollitia')}, count, thrown`,
    circuits: 1,
    make: (size) => {
      const rule = mollitiaRules.count(size);
      // Filled by hand: every call copies the window, so that filling it by calls would take seconds.
      rule.requests = Array.from({ length: size }, () => ({ result: 0 }));
      const circuit = mollitiaCircuit(throwError, rule);
      return () => catching(circuit.execute());
    },
    isRight: isError,
  },
];

function isError(answer) {
  return answer === error;
}

/** Failures in a row do not open it, or each circuit could take but four. */
function filledBreaker(size) {
  const breaker = new CircuitBreaker('work', { consecutiveFailures: Infinity });
  for (let call = 0; call < size; call++) breaker.settle(breaker.acquire());
  return breaker;
}

function failInExecutor(size, work) {
  const executor = new Executor({ name: 'work', circuits: [filledBreaker(size)] });
  return () => executor.run(work);
}

const nameOf = (kind, size) => `${kind.name}, ${size.toLocaleString('en-US')}`;

const contestants = kinds.flatMap((kind) =>
  SIZES.map((size) => {
    let fails = [];
    let done = 0;
    return {
      name: nameOf(kind, size),
      operations: kind.circuits * FAILURES,
      prepare: async () => {
        fails = [];
        for (let made = 0; made < kind.circuits; made++) fails.push(await kind.make(size));
        done = 0;
      },
      run: () => fails[Math.floor(done++ / FAILURES) % kind.circuits](),
      isRight: kind.isRight,
    };
  }),
);

export async function run() {
  const results = await alternateAsync(contestants, {
    settled: (now) => kinds.every((kind) => kind.isOurs !== true || ratioOf(kind, now) <= BUDGET),
  });
  const rows = kinds.map((kind) => {
    const measured = SIZES.map((size) => results[nameOf(kind, size)]);
    const isRight = measured.every((one) => one.isRight);
    const ratio = ratioOf(kind, results);
    const isOurs = kind.isOurs === true;
    return {
      cells: [
        mark({ isRight }, kind.name),
        ...measured.flatMap((one) => [digits(one.cpu), cpuSpreadOf(one)]),
        times(ratio),
        isOurs ? `≤ ${BUDGET}x` : '',
      ],
      ...(isOurs && { budgets: { 'outcome-constant': isRight && ratio <= BUDGET } }),
    };
  });
  const columns = [
    'what',
    '100 calls, CPU µs',
    'spread',
    '10,000 calls, CPU µs',
    'spread',
    '10,000 / 100',
    'limit',
  ];
  const figures = kinds.flatMap((kind) =>
    SIZES.map((size) => {
      const name = nameOf(kind, size);
      return cpuFigure(name, kind.isOurs === true ? OURS : kind.name, results[name]);
    }),
  );
  return { tables: [{ title: 'A failing call', columns, rows }], figures, results };
}

function ratioOf(kind, results) {
  const [few, many] = SIZES.map((size) => results[nameOf(kind, size)].cpu);
  return many / few;
}
