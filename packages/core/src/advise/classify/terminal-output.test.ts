import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import { readTerminalOutput } from './terminal-output.ts';

const MISSING = 'cat: /nonexistent/file/path.txt: No such file or directory';
const PROMPT = '(venv) root@3f2a9c:/a0# ';

describe('the output of a terminal', () => {
  test.each([
    ['a prompt behind it', `${MISSING}\n${PROMPT}`],
    ['the echo of the command before it', `${PROMPT}cat /nonexistent\r\n${MISSING}\r\n${PROMPT}`],
    ['empty lines around it', `\n\n${MISSING}\n\n${PROMPT}\n`],
    ['the prompt of a user', `${MISSING}\nme@my-host.local:~/notes/x$`],
    ['the prompt of PowerShell', `${MISSING}\n(base) PS C:\\Users\\me>`],
  ])('is read without %s', (_, text) => {
    expect(readTerminalOutput(text)?.output.trimEnd()).toBe(MISSING);
    expect(classify({ tool: 'code_execution_tool', output: text })).toMatchObject({
      status: 'failure',
      type: 'not_found',
    });
  });

  test('keeps all of the lines between', () => {
    const text = `${PROMPT}ls\none\n\n  two # three$\n${PROMPT}`;

    expect(readTerminalOutput(text)?.output).toBe('one\n\n  two # three$\n');
  });

  test.each([
    'me@host.example: mail for $5',
    'git@github.com:me/work.git cloned',
    'price: 5$',
    'PS: done>',
  ])('does not take %j for a prompt', (line) => {
    expect(readTerminalOutput(line)).toBeUndefined();
  });

  test('of a command that printed nothing is nothing', () => {
    expect(readTerminalOutput(PROMPT)).toEqual({ output: '' });
    expect(readTerminalOutput('')).toBeUndefined();
  });

  test('has an exit code where the command ended the shell', () => {
    const note = '[SYSTEM: Terminal shell exited with exit code 7. The command has finished.]';

    expect(readTerminalOutput(`boom\n\n${note}`)).toEqual({ output: 'boom\n', exitCode: 7 });
    expect(readTerminalOutput(`${note}\nand more`)).toBeUndefined();
  });

  test.each([
    ['after other output', `Cloning\n-bash: jq: command not found\n${PROMPT}`, 'not_found'],
    ['of the last program', `one.txt\ncat: two.txt: Permission denied\n${PROMPT}`, 'permission'],
    ['of git', `On branch main\nfatal: bad revision 'x'\n${PROMPT}`, 'not_found'],
  ])('fails with an error line %s', (_, output, type) => {
    expect(classify({ tool: 'code_execution_tool', output })).toMatchObject({
      status: 'failure',
      type,
    });
  });

  test.each([
    ['an error before other output', `ls: cannot access 'x': No such file\ndone\n${PROMPT}`],
    ['a listing', `error.log\nfailed_jobs\n${PROMPT}`],
    ['a file behind a path', `src/a.ts: cannot be undefined\n${PROMPT}`],
    ['places that a search skips', `/etc/a\nfind: '/root': Permission denied\n${PROMPT}`],
  ])('does not fail with %s', (_, output) => {
    expect(classify({ tool: 'code_execution_tool', output }).status).toBe('unknown');
  });

  test('takes time in proportion to its length', () => {
    const lines = `${'a'.repeat(64)}@${'b'.repeat(64)}:${'c'.repeat(300)}\n`.repeat(20_000);
    const start = performance.now();
    readTerminalOutput(lines);
    readTerminalOutput('\n'.repeat(1_000_000));
    readTerminalOutput(`${PROMPT}\n`.repeat(200_000));

    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
