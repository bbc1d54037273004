import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runTutorial } from './support/run-tutorial.ts';

/** A program that is not of this project, if it is here. */
function programsHere(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
        return [[name, path.trim()]];
      } catch {
        return [];
      }
    }),
  );
}

// Whoever reads one of these pages has nothing else, so each command has to work as it stands there.
describe.skipIf(process.platform === 'win32')('the commands of a tutorial', () => {
  it.each([
    ['docs/tutorial-typescript-agent.md', 1],
    ['docs/tutorial-local-model.md', 8],
    ['docs/tutorial-mcp-operator.md', 15],
  ])('%s print what it says', { timeout: 90_000 }, async (page, commands) => {
    const { problems, ran, leftOut } = await runTutorial(page, { programs: programsHere('curl') });

    expect(problems).toEqual([]);
    expect([...ran, ...leftOut]).toHaveLength(commands);
    // Claude Code is asked where it was fetched: test/agents/tutorial.test.ts.
    for (const command of leftOut) expect(command).toMatch(/curl|claude/);
  });
});
