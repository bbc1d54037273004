import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  chai,
  customMatchers,
  setState,
} from '@vitest/expect';
import { fn, spyOn } from '@vitest/spy';
import { inspect as inspectValue } from 'node:util';

// What the tests of core import from `vitest`, so that they run in a process of our own: its assertions and its
// spies are taken as they are, tests are only remembered. A worker of vitest for each mutant would cost a second.

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(ChaiStyleAssertions);
chai.use(JestAsymmetricMatchers);

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
setState({ assertionCalls: 0 }, expect);
globalThis[GLOBAL_EXPECT] = expect;
chai.expect.extend(expect, customMatchers);

// No test waits for real time here: what has not come about after so many looks never will.
const mostLooks = 3000;

/** Looks again until the assertion holds. */
expect.poll = (look) =>
  new Proxy(
    {},
    {
      get:
        (_, matcher) =>
        async (...expected) => {
          for (let looks = 1; ; looks++) {
            const value = await look();
            try {
              expect(value)[matcher](...expected);
              return;
            } catch (error) {
              if (looks >= mostLooks) throw error;
            }
          }
        },
    },
  );

export const vi = { fn, spyOn };

/** Checked by the compiler, not when it runs. */
export const expectTypeOf = () => typeAssertion;
const typeAssertion = new Proxy(() => typeAssertion, { get: () => typeAssertion });

let suite;

/** Runs what declares tests, and returns them. */
export async function collectTests(file, declare) {
  const tests = [];
  suite = { name: '', tests, names: new Map(), file, before: [], after: [] };
  try {
    await declare();
  } finally {
    suite = undefined;
  }
  return tests;
}

function declareTest(name, ...rest) {
  const body = rest.find((one) => typeof one === 'function');
  const full = `${suite.name}${name}`;
  const count = (suite.names.get(full) ?? 0) + 1;
  suite.names.set(full, count);
  const test = { name: count === 1 ? full : `${full} (${count})`, file: suite.file };
  suite.tests.push({ ...test, body, before: suite.before, after: suite.after });
}

function declareSuite(name, ...rest) {
  const body = rest.find((one) => typeof one === 'function');
  const outer = suite;
  suite = { ...outer, name: `${outer.name}${name} > `, before: [...outer.before] };
  suite.after = [...outer.after];
  try {
    body();
  } finally {
    suite = outer;
  }
}

const eachOf =
  (declare) =>
  (cases) =>
  (name, ...rest) => {
    const body = rest.find((one) => typeof one === 'function');
    for (const one of cases) {
      const values = Array.isArray(one) ? one : [one];
      declare(named(name, values), () => body(...values));
    }
  };

const inspect = (value) =>
  typeof value === 'string' ? value : inspectValue(value, { depth: 1, breakLength: Infinity });

/** Only as far as one test is told from another. */
function named(name, values) {
  let at = 0;
  return name
    .replaceAll(/%[a-z]/g, () => inspect(values[at++]))
    .replaceAll(/\$(\w+)/g, (_, key) => inspect(values[0]?.[key]));
}

const nothing = () => undefined;

export const test = Object.assign(declareTest, { each: eachOf(declareTest), skip: nothing });
export const it = test;
export const describe = Object.assign(declareSuite, { each: eachOf(declareSuite), skip: nothing });
export const beforeEach = (hook) => suite.before.push(hook);
export const afterEach = (hook) => suite.after.unshift(hook);
