import { describe, expect, it } from 'vitest';
import { readText } from './support/repository.ts';
import { runCli } from './support/run-cli.ts';
import { runTutorial } from './support/run-tutorial.ts';

const PAGE = 'docs/troubleshooting.md';

/** The commands and options that the page names in its text: `holdfast mcp --prefix`. */
function namedOptions(): { command: string; options: string[] }[] {
  const named = readText(PAGE).match(/`holdfast [a-z][^`]*`/g) ?? [];
  const byCommand = new Map<string, Set<string>>();
  for (const written of named) {
    const [, command = '', ...rest] = written.slice(1, -1).split(' ');
    const options = byCommand.get(command) ?? new Set();
    // What follows `--` belongs to another program.
    const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    for (const word of own) if (word.startsWith('--')) options.add(word.split('=')[0] ?? '');
    byCommand.set(command, options);
  }
  return [...byCommand].map(([command, options]) => ({ command, options: [...options] }));
}

describe.skipIf(process.platform === 'win32')(PAGE, () => {
  it('prints what it says', { timeout: 90_000 }, async () => {
    const { problems, ran } = await runTutorial(PAGE);

    expect(problems).toEqual([]);
    expect(ran.length).toBeGreaterThan(10);
  });

  it.each(namedOptions())('names only what `holdfast $command` has', async (named) => {
    const { code, stdout } = await runCli([named.command, '--help']);

    expect(code).toBe(0);
    expect(named.options.filter((option) => !stdout.includes(option))).toEqual([]);
  });
});
