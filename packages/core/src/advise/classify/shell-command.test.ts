import { describe, expect, test } from 'vitest';
import { programsOf } from './shell-command.ts';

const namesOf = (command: string): string[] =>
  programsOf(command).map(({ name, subcommand }) => `${name} ${subcommand}`.trim());

describe('the programs of a command', () => {
  test.each([
    ['grep -rn needle src', ['grep needle']],
    ['cd a && git diff --stat | head -5', ['git diff', 'head']],
    ['A=1 sudo /usr/bin/find . -name x; echo done', ['find .', 'echo done']],
    [`echo "a; b | c" && rg 'x && y' .`, ['echo a; b | c', 'rg x && y']],
    ['set -e\nmake all\n', ['make all']],
    ['', []],
    ['   ;; && |', []],
  ])('%s', (command, names) => {
    expect(namesOf(command)).toEqual(names);
  });

  test('are read from the end of a long script', () => {
    expect(namesOf(`${'echo x; '.repeat(5000)}make test`).at(-1)).toBe('make test');
  });
});
