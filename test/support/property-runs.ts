import fc from 'fast-check';

// `npm run test:full` looks longer for a counterexample. Tests that set their own number of runs
// can scale it by `fc.readConfigureGlobal().numRuns`.
const full = process.env['HOLDFAST_FULL'] === '1';

fc.configureGlobal({ numRuns: full ? 2000 : 100 });
