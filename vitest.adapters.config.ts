import { join } from 'node:path';
import { defaultServerConditions } from 'vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// The adapters with real SDKs. Those of the workspace are the newest that run on Node 20; HOLDFAST_PEERS names a
// folder with others, which `test/adapters.test.ts` installs and runs, with the Node that they need.
const folder = process.env['HOLDFAST_PEERS'];
const isFull = process.env['HOLDFAST_FULL'] === '1';
const SDKS = /^(?:openai|ai|langchain|@anthropic-ai\/sdk|@(?:ai-sdk|langchain)\/[\w-]+)(?:\/|$)/;

const peers: Plugin = {
  name: 'holdfast-peers',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (folder === undefined || !SDKS.test(id) || importer?.startsWith(folder) === true)
      return null;
    // As if the manifest there had imported it.
    return this.resolve(id, join(folder, 'package.json'), { skipSelf: true });
  },
};

// Node is given these too, and cannot load what packages offer to bundlers under `module`.
const conditions = defaultServerConditions.filter((condition) => condition !== 'module');

export default defineConfig({
  plugins: [peers],
  ssr: { resolve: { conditions: ['@holdfast/source', ...conditions] } },
  test: {
    include: ['test/adapters/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    // In full a single test has thousands of conversations: half a minute with a core of its own, more without.
    testTimeout: isFull ? 300_000 : 60_000,
  },
});
