import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPart } from '../../../../test/support/needs-part.ts';
import { COMMANDS } from './commands.ts';
import { listCompletedCommands, SHELLS } from './completion/completed-command.ts';
import { readHelpRows } from './completion/read-help-rows.ts';
import { mainHelp } from './help.ts';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-completion-'));
const scriptOf = (shell: string): string => join(folder, `completion.${shell}`);
beforeAll(async () => {
  for (const shell of SHELLS) {
    const io = memoryIo();
    expect(await run(['completion', shell], io)).toBe(0);
    writeFileSync(scriptOf(shell), io.out());
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const fish = needsPart('fish');
const zsh = needsPart('zsh');
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** What bash offers for a line that ends where Tab is pressed. */
function inBash(line: string): string[] {
  const words = line.split(/([= ])/).filter((word) => word !== ' ' && word !== '');
  if (line.endsWith(' ')) words.push('');
  const program = `
    source "$1"
    COMP_WORDS=("\${@:2}") COMP_CWORD=$(( $# - 2 ))
    _holdfast
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', program, 'bash', scriptOf('bash'), ...words];
  return lines(execFileSync('bash', args, { cwd: folder }).toString());
}

function inFish(line: string): string[] {
  const program = 'source $argv[1]; complete -C $argv[2]';
  const args = ['--no-config', '-c', program, scriptOf('fish'), line];
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const out = execFileSync('fish', args, { cwd: folder, env }).toString();
  return lines(out).map((each) => each.split('\t', 1)[0] ?? '');
}

/** Types a line and Tab into a zsh that has a terminal, and reads what the line becomes. */
function inZsh(line: string): string {
  const program = `
    zmodload zsh/zpty
    zpty -b shell zsh -f -i
    zpty -w shell 'PS1="> "; autoload -Uz compinit; compinit -D; source ${scriptOf('zsh')}; bindkey "^I" complete-word; x() { print -r -- "LINE<$BUFFER>"; BUFFER=; zle accept-line }; zle -N x; bindkey "^X" x; print READY'
    local out='' all=''
    while zpty -r shell out '*READY*READY*'; do all+=$out; break; done
    zpty -w -n shell ${JSON.stringify(line)}$'\\t\\x18'
    zpty -r shell out '*LINE<*>*'
    print -r -- $out`;
  const out = execFileSync('zsh', ['-f', '-c', program], {
    cwd: folder,
    env: { ...process.env, HOME: folder, TERM: 'xterm' },
    timeout: 20_000,
  }).toString();
  const [, shown = out] = out.split('LINE<');
  return shown.split('>', 1)[0] ?? '';
}

describe('holdfast completion', () => {
  test.each([
    ['holdfast cir', ['circuits']],
    ['holdfast un', ['uninstall']],
    ['holdfast --v', ['--version']],
    ['holdfast proxy --tool-', ['--tool-mode', '--tool-format']],
    ['holdfast proxy --log ', ['debug', 'info', 'warn', 'error', 'silent']],
    ['holdfast proxy --log=wa', ['warn']],
    ['holdfast proxy --log=', ['debug', 'info', 'warn', 'error', 'silent']],
    ['holdfast install cl', ['claude-code']],
    ['holdfast completion ', ['bash', 'zsh', 'fish']],
    ['holdfast logs --f', ['--follow']],
    ['holdfast parse --calls-in-reasoning i', ['if-unclosed', 'ignore']],
    // Left to bash, which completes files.
    ['holdfast parse ', []],
    ['holdfast up --config ', []],
    ['holdfast mcp -- --l', []],
  ])('completes in bash: %s', (line, expected) => {
    expect(inBash(line).sort()).toEqual([...expected].sort());
  });

  test('makes bash complete by itself', () => {
    const program = 'source "$1"; complete -p holdfast';
    const out = execFileSync('bash', ['--norc', '-c', program, 'bash', scriptOf('bash')]);
    expect(out.toString()).toBe('complete -o default -F _holdfast holdfast\n');
  });

  test.skipIf(fish.isMissing).each([
    ['holdfast cir', ['circuits']],
    ['holdfast proxy --tool-', ['--tool-mode', '--tool-format']],
    ['holdfast proxy --log ', ['debug', 'info', 'warn', 'error', 'silent']],
    ['holdfast install cl', ['claude-code']],
    ['holdfast logs --f', ['--follow']],
    ['holdfast parse comple', ['completion.bash', 'completion.zsh', 'completion.fish']],
    ['holdfast reset comple', []],
  ])(`completes in fish: %s${fish.why}`, (line, expected) => {
    expect(inFish(line).sort()).toEqual([...expected].sort());
  });

  test.skipIf(zsh.isMissing).each([
    ['holdfast circ', 'holdfast circuits '],
    ['holdfast proxy --ea', 'holdfast proxy --eager '],
    ['holdfast proxy --log=wa', 'holdfast proxy --log=warn '],
    ['holdfast install claude', 'holdfast install claude-code '],
    ['holdfast parse completion.b', 'holdfast parse completion.bash '],
  ])(`completes in zsh: %s${zsh.why}`, (line, expected) => {
    expect(inZsh(line)).toBe(expected);
  });

  test('knows every command and option, each with what its help says', async () => {
    const commands = await listCompletedCommands();
    expect(commands.map(({ name }) => name)).toEqual([...COMMANDS.map(({ name }) => name), 'hook']);
    expect([...readHelpRows(mainHelp, 'Commands:').keys()].sort()).toEqual(
      commands.map(({ name }) => name).sort(),
    );
    const silent = commands.flatMap(({ name, description, options }) => [
      ...(description === '' ? [name] : []),
      ...options
        .filter((option) => option.description === '')
        .map((option) => `${name} --${option.name}`),
    ]);
    expect(silent).toEqual([]);
  });

  test('offers only words that the help tells of', async () => {
    const loaded = await Promise.all(COMMANDS.map(({ load }) => load()));
    const completed = await listCompletedCommands();
    for (const { name, help } of loaded) {
      const { options = [] } = completed.find((command) => command.name === name) ?? {};
      for (const word of options.flatMap(({ words }) => words)) expect(help).toContain(word);
    }
  });

  test.each([
    [[], 'expected a shell: bash, zsh, fish'],
    [['bsh'], 'completion: expected bash, zsh or fish, got "bsh"; did you mean bash?'],
    [['bash', 'zsh'], 'expected one shell, got bash zsh'],
  ])('refuses %j', async (args, message) => {
    const io = memoryIo();
    expect(await run(['completion', ...args], io)).toBe(2);
    expect(io.err()).toBe(`holdfast: ${message}\n`);
  });
});

describe('rows of a help', () => {
  test('are read with all their lines, for all their names', () => {
    const help = [
      'Options:',
      '  --user, --root <dir>',
      '                 of an agent: where',
      '  -f, --follow   and those',
      '                 to come (until Ctrl-C); more',
      '',
      '  --no-row       is none',
    ].join('\n');
    expect([...readHelpRows(help, 'Options:')]).toEqual([
      ['--user', 'of an agent'],
      ['--root', 'of an agent'],
      ['--follow', 'and those to come'],
    ]);
  });
});
