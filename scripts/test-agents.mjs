import { runSuiteAlone } from './run-suite.mjs';

// npm run test:agents         the agents do what docs/agents.md says
// npm run test:agents -- -u   writes what they do to docs/agents.md
await runSuiteAlone('agents');
