import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runTutorial } from '../support/run-tutorial.ts';
import { installAgents } from './install-agents.ts';

const { claude } = await installAgents();

describe(`Claude Code ${claude.version} in the tutorial on local models`, () => {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-tutorial-home-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it('prints what the page says', async () => {
    const env = { HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
    const programs = { claude: claude.program };
    const page = 'docs/tutorial-local-model.md';
    const { problems, ran, leftOut } = await runTutorial(page, { programs, env });

    expect(problems).toEqual([]);
    expect(ran.filter((command) => command.includes(' claude '))).toHaveLength(1);
    expect(leftOut).toEqual([]);
  });
});
