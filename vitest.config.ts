import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // `@holdfast/core` means its source: no build, and failures point at the line that was written.
  // `module` is for bundlers: Node does not know it, and cannot load what some packages have there.
  ssr: {
    resolve: {
      conditions: [
        '@holdfast/source',
        ...defaultServerConditions.filter((one) => one !== 'module'),
      ],
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/*.test.ts', 'test/security/*.test.ts'],
    setupFiles: ['test/support/property-runs.ts', 'test/support/own-state-folder.ts'],
    // The only pool that also works on Bun and Deno.
    pool: 'forks',
    // Tests keep no global state, so one process may run many files: ten times faster.
    isolate: false,
    // Left to itself, vitest keeps one core free; on a machine with two that is half of it.
    maxWorkers: 2,
    // Long enough for a machine that does much else. Property tests run twenty times longer in `npm run test:full`.
    testTimeout: process.env['HOLDFAST_FULL'] === '1' ? 120_000 : 30_000,
    hookTimeout: 60_000,
  },
});
