import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// The conformance suite and the inspector: to be fetched, with a Node of their own, so not part of `npm test`.
export default defineConfig({
  ssr: { resolve: { conditions: ['@holdfast/source', ...defaultServerConditions] } },
  test: {
    include: ['test/mcp/*.test.ts'],
    setupFiles: ['test/support/own-state-folder.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    // The first run fetches the tools.
    hookTimeout: 300_000,
  },
});
