import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

async function hook(args: readonly string[], stdin = '', env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hook-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const io = memoryIo({ stdin, env: { HOLDFAST_STATE_DIR: folder, ...env } });
  const code = await run(['hook', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

const AGENTS = 'the agents are claude-code, codex, gemini, opencode, agent-zero\n';

describe('holdfast hook', () => {
  it('shows its help', async () => {
    const { code, out } = await hook(['--help']);

    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: holdfast hook <agent> \[--veto\]\n/);
  });

  // To agents 2 means that the call must not run, and 127 to one of them.
  it.each([
    [[], 'hook: expected an agent'],
    [['clod'], 'hook: unknown agent "clod"'],
    [['__proto__'], 'hook: unknown agent "__proto__"'],
    [['codex', 'gemini'], 'hook: expected one agent, got codex gemini'],
    [['codex', '--vetoo'], 'hook: unknown option --vetoo'],
  ])('tells misuse %j with 1 and without output', async (args, problem) => {
    expect(await hook(args)).toEqual({ code: 1, out: '', err: `holdfast: ${problem}; ${AGENTS}` });
  });

  it('prints what lets the call go on where the input is wrong, and tells why only when asked', async () => {
    expect(await hook(['gemini'], 'nonsense')).toEqual({ code: 0, out: '{}', err: '' });

    const { code, out, err } = await hook(['gemini'], 'nonsense', { HOLDFAST_DEBUG: '1' });
    expect({ code, out }).toEqual({ code: 0, out: '{}' });
    expect(err).toMatch(/^holdfast: hook gemini: SyntaxError: .*JSON/);
  });

  it('says nothing where there is no place for its memory', async () => {
    const input = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit' });
    const env = { HOLDFAST_STATE_DIR: '/dev/null/nowhere' };

    expect(await hook(['claude-code'], input, env)).toEqual({ code: 0, out: '', err: '' });
  });
});
