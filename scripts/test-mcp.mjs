import { runSuiteAlone } from './run-suite.mjs';

// npm run test:mcp         the gateway passes what docs/mcp-conformance.md says
// npm run test:mcp -- -u   writes what it passes to docs/mcp-conformance.md
await runSuiteAlone('mcp');
