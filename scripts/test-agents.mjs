import { fileURLToPath } from 'node:url';
import { ensureInstall } from './ensure-install.mjs';
import { runTool } from './run-command.mjs';
import { formatCounts, readCounts, reportFile } from './vitest-counts.mjs';

/** Runs real agents, direct and through the proxy; needs the install and the build. */
export async function testAgents(print, flags = []) {
  const report = reportFile('agents');
  const vitest = ['run', '--config', 'vitest.agents.config.ts', ...flags];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const result = await runTool('vitest', [...vitest, ...reporters], { env: { NO_COLOR: '1' } });
  const counts = readCounts(report, result.ok);
  print(`${formatCounts(counts)} (${result.seconds.toFixed(1)} s)`);
  if (!result.ok) print(result.output);
  return counts;
}

// npm run test:agents         the agents do what docs/agents.md says
// npm run test:agents -- -u   writes what they do to docs/agents.md
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const step of [ensureInstall, () => runTool('tsc', ['-b', 'tsconfig.build.json'])]) {
    const result = await step();
    if (!result.ok) {
      console.log(result.output);
      process.exit(1);
    }
  }
  const counts = await testAgents((line) => console.log(line), process.argv.slice(2));
  process.exitCode = counts.failed === 0 ? 0 : 1;
}
