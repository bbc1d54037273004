import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

// Real agents: large to fetch and slow to start, so not part of `npm test`.
export default defineConfig({
  ssr: { resolve: { conditions: ['@holdfast/source', ...defaultServerConditions] } },
  test: {
    include: ['test/agents/*.test.ts'],
    setupFiles: ['test/support/own-state-folder.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    // The first run fetches the agents.
    hookTimeout: 300_000,
  },
});
