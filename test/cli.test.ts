import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { commandsOf, tells } from './support/console-blocks.ts';
import { runCli, startCli } from './support/run-cli.ts';

const CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';

// The built program in a process of its own: what the tests beside its source cannot see.
describe('the holdfast program', () => {
  it('ends with 0 when there are calls', async () => {
    const { code, stdout, stderr } = await runCli(['parse'], CALL);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ calls: [{ name: 'now' }] });
  });

  it('ends with 3 when there are none', async () => {
    expect(await runCli(['parse'], 'text')).toMatchObject({ code: 3, stderr: '' });
  });

  it('ends with 2 and one line on misuse', async () => {
    expect(await runCli(['parse', 'no-such-file.txt'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'holdfast: cannot read no-such-file.txt: there is no such file\n',
    });
  });

  it('prints events while its input is still open', async () => {
    const child = startCli(['parse', '--stream']);
    const closed = once(child, 'close');
    child.stdin.write('Hello ');
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    child.stdin.end(CALL);

    expect(first.toString()).toBe('{"type":"text-delta","text":"Hello "}\n');
    expect(await closed).toEqual([0, null]);
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const child = startCli(['parse', '--stream']);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    const closed = once(child, 'close');
    child.stdin.write('Hello ');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.write('again');

    expect(await closed).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('plays texts plainly into a pipe', async () => {
    const { code, stdout, stderr } = await runCli(['play']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('repaired: inner-quotes');
    expect(stdout).not.toContain('\x1b');
  });
});

/**
 * What a page may leave out: ids, how wide columns are, and lines, for which it has a line with an ellipsis.
 * What is played between lines of raw text moves with what holds text back, so those lines are left out.
 */
function inWordsOfPage(output: string, command: string): string[] {
  const lines = output
    .replace(/call_\w{24}/g, 'call_…')
    .replace(/(\S) {2,}/g, '$1  ')
    .trimEnd()
    .split('\n');
  return command === 'holdfast play' ? lines.filter((line) => !line.startsWith('  │')) : lines;
}

describe('docs/cli.md', () => {
  it.each(commandsOf('docs/cli.md'))(
    'says what `$command` prints',
    async ({ command, printed }) => {
      const [program, ...args] = command.split(' ');
      const { stdout, stderr } = await runCli(args);

      const page = inWordsOfPage(printed, command);
      const output = inWordsOfPage(stdout + stderr, command);

      expect(program).toBe('holdfast');
      if (!tells(page, output)) expect(output).toEqual(page);
    },
  );

  it('is refused where it leaves out lines without saying so', () => {
    const output = ['first', 'second', 'third', 'last'];

    expect(tells(['first', '…', 'third', 'last'], output)).toBe(true);
    expect(tells(['…', 'second', '…'], output)).toBe(true);
    expect(tells(['first', 'third', 'last'], output)).toBe(false);
    expect(tells(['first', '…', 'third'], output)).toBe(false);
    expect(tells(['second', '…'], output)).toBe(false);
    expect(tells(['first', '…', 'la…'], output)).toBe(true);
    expect(tells(['first', '…', 'le…'], output)).toBe(false);
  });
});
