import { defineConfig } from 'vitest/config';

// For other runtimes: without the source condition `@holdfast/core` means dist, as for a user.
export default defineConfig({
  test: {
    include: ['packages/core/src/**/*.test.ts'],
    setupFiles: ['test/support/property-runs.ts'],
    pool: 'forks',
    isolate: false,
    // A first run on a cold runtime, on a busy machine.
    testTimeout: 30_000,
  },
});
