import fc from 'fast-check';

// `npm run test:full` looks longer for a counterexample. Tests that set their own number of runs
// can scale it by `fc.readConfigureGlobal().numRuns`.
const full = process.env['HOLDFAST_FULL'] === '1';
// Other runtimes are asked whether the same code runs there, not whether the laws hold.
const some = process.env['HOLDFAST_FEW_RUNS'] === '1' ? 20 : 100;

fc.configureGlobal({ numRuns: full ? 2000 : some });
