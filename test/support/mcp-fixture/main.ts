import { serveHttpFixture } from './serve-http.ts';
import { serveStdioFixture } from './serve-stdio.ts';

// main.ts stdio          on standard input and output
// main.ts http           on a free port, whose URL it prints
// … --legacy-only        as a server that knows nothing later than 2025-11-25
const [transport] = process.argv.slice(2);
const legacyOnly = process.argv.includes('--legacy-only');
if (transport === 'http') {
  const { url } = await serveHttpFixture({ legacyOnly });
  process.stdout.write(`${url}\n`);
} else {
  await serveStdioFixture({ legacyOnly });
}
