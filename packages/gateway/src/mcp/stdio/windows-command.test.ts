import { describe, expect, test } from 'vitest';
import { windowsCommand } from './windows-command.ts';

const env = {
  Path: 'C:\\Windows;C:\\Program Files\\nodejs',
  ComSpec: 'C:\\Windows\\system32\\cmd.exe',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
};
const files = new Set([
  'C:\\Program Files\\nodejs\\node.EXE',
  'C:\\Program Files\\nodejs\\npx.CMD',
  'D:\\tools\\serve.bat',
]);
const on = (command: string, ...args: string[]): ReturnType<typeof windowsCommand> =>
  windowsCommand({ command, args, env, cwd: 'D:\\tools' }, (path) => files.has(path));

describe('on Windows a command', () => {
  test('that is a program is started as it is', () => {
    const args = ['-e', '1 & 2'];
    expect(on('node', ...args)).toEqual({ command: 'node', args, isVerbatim: false });
    expect(on('unknown', ...args)).toEqual({ command: 'unknown', args, isVerbatim: false });
  });

  test('that is a batch file is run by cmd.exe', () => {
    expect(on('npx', '-y', 'server')).toEqual({
      command: 'C:\\Windows\\system32\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npx.CMD ^^^"-y^^^" ^^^"server^^^""'],
      isVerbatim: true,
    });
    expect(on('.\\serve.bat').args.at(-1)).toBe('"D:\\tools\\serve.bat"');
  });

  test('gets no argument that cmd.exe would run or expand', () => {
    for (const argument of ['a&calc', '%PATH%', 'a"&calc', 'x|y>z', '!v!', '^']) {
      const line = on('npx', argument).args.at(-1)!.slice(1, -1);
      // Every special character has its caret.
      expect(line.replaceAll(/\^./g, '')).not.toMatch(/[&%"|<>!^]/);
    }
  });

  test('gets arguments that end in backslashes or have quotation marks', () => {
    const argument = (text: string): string =>
      on('npx', text).args.at(-1)!.slice(1, -1).split('npx.CMD ')[1]!.replaceAll('^', '');
    expect(argument('C:\\dir\\')).toBe('"C:\\dir\\\\"');
    expect(argument('say \\"hi"')).toBe('"say \\\\\\"hi\\""');
  });
});
