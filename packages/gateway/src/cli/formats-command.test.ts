import { createDefaultRegistry } from '@holdfast/core/parse';
import { describe, expect, it } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

async function formats(...args: string[]): Promise<string> {
  const io = memoryIo();
  expect(await run(['formats', ...args], io)).toBe(0);
  return io.out();
}

interface Listed {
  readonly name: string;
  readonly priority: number;
  readonly models: readonly string[];
  readonly sample: string;
}

const listed = async (): Promise<Listed[]> => JSON.parse(await formats('--json')) as Listed[];

describe('holdfast formats', () => {
  it('lists every parser of the default registry, in the order they are tried', async () => {
    const registered = createDefaultRegistry().list();

    expect((await listed()).map(({ name, priority }) => ({ name, priority }))).toEqual(
      registered.map(({ name, priority }) => ({ name, priority })),
    );
    expect(registered.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['qwen', 'openai', 'commentary', 'custom', 'fallback']),
    );
  });

  it('prints the name, the models and a sample on one line of each for people', async () => {
    const out = (await formats()).replace(/ {3,}/g, '  ');

    expect(out.split('\n').length).toBe((await listed()).length * 2 + 1);
    expect(out).toMatch(/^qwen {2}.*\bhermes\b/);
    expect(out).toContain('\n  <tool_call>⏎{"name": "read_file"');
    expect(out).toContain('\ncommentary\n  [TOOL_CALL]{"name"');
    expect(out.endsWith('\nfallback\n  (any other text, as it is)\n')).toBe(true);
  });

  it('fits a terminal, and cuts nothing elsewhere', async () => {
    const io = memoryIo({ isTerminal: true, columns: 40, env: { NO_COLOR: '1' } });
    await run(['formats'], io);
    const lines = io.out().split('\n');

    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    expect(lines).toContain('  <tool_call>⏎{"name": "read_file", "ar…');
    expect(await formats()).not.toContain('…\n');
  });

  it('has the same text in colour', async () => {
    const [plain, terminal] = [memoryIo(), memoryIo({ isTerminal: true })];
    await run(['formats'], plain);
    await run(['formats'], terminal);

    expect(terminal.out()).toContain('\x1b[1mqwen\x1b[22m');
    expect(terminal.out().replace(/\x1b\[\d+m/g, '')).toBe(plain.out());
  });
});
