import { parseToolCalls } from '@holdfast/core/parse';
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
  it('lists the formats in the order they are tried', async () => {
    const priorities = (await listed()).map(({ priority }) => priority);

    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    expect((await listed()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['qwen', 'openai', 'commentary', 'custom', 'fallback']),
    );
  });

  it('shows samples that are read as what they are a sample of', async () => {
    for (const { name, sample } of await listed()) {
      if (sample !== '') expect(parseToolCalls(sample).calls[0]?.format).toBe(name);
    }
  });

  it('prints a sample, the priority and the models of each for people', async () => {
    const out = await formats();

    expect(out).toContain('qwen  priority 110; models: qwen, qwq, hermes\n  <tool_call>\n');
    expect(out).toContain('commentary  priority 50\n  [TOOL_CALL]{"name"');
    expect(out).toContain('fallback  priority 1\n  (any other text, as it is)\n');
  });
});
