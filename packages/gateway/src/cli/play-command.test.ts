import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAY_CASES } from './play-cases.ts';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-demo-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(
    join(folder, 'hostile.txt'),
    '\x1b[2J\u202E <tool_call>{"name": "a", "arguments": {}}</tool_call>\r\n\r\nDone.',
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What stands between the lines of raw text moves when what holds text back changes, so it is looked at alone. */
const isRaw = (line: string): boolean => line.startsWith('  │');
const linesOf = (out: string, matches: (line: string) => boolean): string[] =>
  out.split('\n').filter(matches);
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

describe('holdfast play', () => {
  it('finds every case it names', () => {
    expect(PLAY_CASES.filter(({ file }) => !existsSync(file))).toEqual([]);
  });

  it('shows text, calls, repairs and formats', async () => {
    const io = memoryIo();

    expect(await run(['play'], io)).toBe(0);
    expect(linesOf(io.out(), (line) => !isRaw(line)).join('\n')).toMatchSnapshot();
  });

  it('shows every output as it was written', async () => {
    const io = memoryIo();
    await run(['play'], io);
    const shown = linesOf(io.out(), isRaw).map((line) => line.slice('  │ '.length));
    const written = PLAY_CASES.map(({ file }) => readFileSync(file, 'utf8'));

    expect(withoutSpace(shown.join(''))).toBe(withoutSpace(written.join('')));
  });

  it('is plain, immediate and within 80 columns when piped', async () => {
    const io = memoryIo();
    await run(['play'], io);

    expect(io.out()).not.toContain('\x1b');
    expect(
      io
        .out()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
    expect(io.pauses).toEqual([]);
  });

  it('has colours and pauses on a terminal, and the same text', async () => {
    const [plain, terminal] = [memoryIo(), memoryIo({ isTerminal: true })];
    await run(['play'], plain);
    await run(['play'], terminal);
    const seconds = terminal.pauses.reduce((sum, ms) => sum + ms, 0) / 1000;

    expect(terminal.out()).toContain('\x1b[32mcall\x1b[39m');
    expect(terminal.out().replace(/\x1b\[\d+m/g, '')).toBe(plain.out());
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThan(20);
  });

  it('has no pauses with --fast', async () => {
    const io = memoryIo({ isTerminal: true });
    await run(['play', '--fast'], io);

    expect(io.pauses).toEqual([]);
    expect(io.out()).toContain('\x1b[');
  });

  it('plays a folder, handing no control character to the terminal', async () => {
    const io = memoryIo();

    expect(await run(['play', folder], io)).toBe(0);
    expect(io.out()).toMatchInlineSnapshot(`
      "── 1/1 hostile ───────────────────────────────────────────────────────────────
        │ <U+001B>[2J<U+202E> <tool_call>{"name": "a", "arguments": {}}</tool_call>
        │
        │ Done.
        text  <U+001B>[2J<U+202E>
        call  a {}
              [qwen]
        text  Done.

      1 output: 1 call in 1 format, 0 of them repaired.
      Read your own: holdfast parse --explain <file>
      "
    `);
  });

  it('shows control tokens apart from text and thoughts', async () => {
    const io = memoryIo();
    await run(['play'], io);

    expect(io.out()).toContain('  mark  <|start|>assistant<|channel|>commentary<|message|>\n');
    expect(io.out()).toContain('  text  I will look at the tide table.\n');
  });

  it('refuses a folder that is not there or has nothing to play', async () => {
    const [missing, empty] = [memoryIo(), memoryIo()];

    expect(await run(['play', join(folder, 'no-such')], missing)).toBe(2);
    expect(missing.err()).toMatch(/no-such: there is no such folder\n$/);
    expect(await run(['play', join(folder, 'empty')], empty)).toBe(2);
    expect(empty.err()).toBe(
      `holdfast: expected .txt files in ${join(folder, 'empty')}, found none\n`,
    );
  });
});
