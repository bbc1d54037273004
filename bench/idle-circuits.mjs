import { CircuitBreaker, Circuits, Executor } from './core.mjs';
import {
  cockatielBreaker,
  cockatielRules,
  cockatielStack,
  label,
  mollitiaCircuit,
  mollitiaRules,
  Opossum,
} from './guard-peers.mjs';

const work = async () => 'done';

/** Ways to have many circuits: `add` makes the one with this number, `use` also lets it see a success. */
export const idleCircuits = [
  {
    name: 'holdfast, in Circuits',
    isOurs: true,
    begin: () => {
      // More than anybody has, since the growth of their number is measured too.
      const circuits = new Circuits({ maxCircuits: 1_000_000 });
      return {
        kept: circuits,
        add: (number) => circuits.get(`tool-${number}`),
        use: (number) => circuits.get(`tool-${number}`).call(work),
        count: () => circuits.list().filter((one) => one.metrics().successes === 1).length,
      };
    },
  },
  each('holdfast CircuitBreaker', {
    make: (number) => new CircuitBreaker(`tool-${number}`),
    use: (breaker) => breaker.call(work),
  }),
  each('holdfast Executor with its circuit', {
    make: (number) =>
      new Executor({
        name: `tool-${number}`,
        circuits: [new CircuitBreaker(`tool-${number}`)],
        retry: {},
      }),
    use: (executor) => executor.call(work),
  }),
  ...['consecutive', 'sampling', 'count'].map((rule) =>
    each(`${label('cockatiel')}, ${rule}`, {
      make: () => cockatielBreaker(cockatielRules[rule]()),
      use: (policy) => policy.execute(work),
    }),
  ),
  each(`${label('cockatiel')}, timeout, breaker and retry`, {
    make: () => cockatielStack(),
    use: (policy) => policy.execute(work),
  }),
  each(label('opossum'), {
    make: () => new Opossum(work),
    use: (circuit) => circuit.fire(),
  }),
  each(`${label('opossum')}, no snapshots, no percentiles`, {
    make: () => new Opossum(work, { enableSnapshots: false, rollingPercentilesEnabled: false }),
    use: (circuit) => circuit.fire(),
  }),
  each(`${label('mollitia')}, count of 100`, {
    make: () => mollitiaCircuit(work, mollitiaRules.count()),
    use: (circuit) => circuit.execute(),
  }),
];

/** Those that have no registry of their own: a plain array keeps them. */
function each(name, { make, use }) {
  return {
    name,
    begin: () => {
      const kept = [];
      let succeeded = 0;
      const add = (number) => {
        const one = make(number);
        kept.push(one);
        return one;
      };
      return {
        kept,
        add,
        use: async (number) => {
          const one = add(number);
          if ((await use(one)) === 'done') succeeded++;
        },
        count: () => succeeded,
      };
    },
  };
}
