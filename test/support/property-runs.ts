import fc from 'fast-check';

// `npm run test:full` looks longer for a counterexample. Tests that set their own number of runs
// can scale it by `fc.readConfigureGlobal().numRuns`.
const full = process.env['HOLDFAST_FULL'] === '1';
// Other runtimes are asked whether the same code runs there, not whether the laws hold.
const some = process.env['HOLDFAST_FEW_RUNS'] === '1' ? 20 : 100;

// `npm test` tries the same values every time, so that a change passes or fails by what it says and not by
// chance; `npm run test:full` and the fuzzer look where nobody has looked. `HOLDFAST_SEED=<number>` chooses.
const seed = process.env['HOLDFAST_SEED'] ?? (full ? undefined : '1');

fc.configureGlobal({
  numRuns: full ? 2000 : some,
  ...(seed !== undefined && { seed: Number(seed) }),
});
