import { fileURLToPath } from 'node:url';
import { never } from './parts.mjs';

const plugin = fileURLToPath(new URL('runner/plugin.mjs', import.meta.url));

const needed = [
  'package.json',
  'packages/core/package.json',
  'packages/core/src/**',
  'corpus/**',
  'scripts/conformance/**',
  'test/corpus.test.ts',
  'test/support/**',
];

/** Where a part of what is mutated is worked on. */
export const cacheOf = (part) => `.cache/mutation/${part.name}`;

/** What Stryker is told, for a part of what is mutated, or for those of its files that are given. */
export function strykerOptions(part, files) {
  const cache = cacheOf(part);
  return {
    mutate: [...files, ...part.mutate.filter((pattern) => pattern.startsWith('!')), ...never],
    plugins: [plugin],
    testRunner: 'in-process',
    inProcess: part.tests,
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // What the tests need, beside what is mutated.
    ignorePatterns: ['**', ...needed.map((pattern) => `!${pattern}`)],
    tempDirName: `${cache}/sandbox`,
    // What was found out before holds for what has not changed since, source or tests.
    incremental: true,
    incrementalFile: `${cache}/incremental.json`,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `${cache}/report.json` },
    // Node reads the types away: what does not compile is a mutant like any other.
    checkers: [],
    disableTypeChecks: false,
    timeoutMS: 2000,
    // Each mutant in what is loaded leaves all modules behind once.
    maxTestRunnerReuse: 400,
    allowConsoleColors: false,
    warnings: { unknownOptions: false },
  };
}
