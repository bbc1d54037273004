import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { afterAll, describe, expect, test } from 'vitest';
import { codexHost } from './codex-host.ts';
import { postPayload, prePayload, promptPayload, rollout } from './codex-payloads.case.ts';

const CAT = { command: 'cat missing.txt' };
const MISSING = 'cat: missing.txt: No such file or directory\n';
const SESSION = '01a1e5c7-ef0c-7142-a78a-2d69d32dbf50';

describe('Codex tells', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-'));

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const withRollout = (...lines: readonly JsonObject[]): JsonObject => {
    const path = join(folder, 'rollout.jsonl');
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return { transcript_path: path };
  };

  const started = rollout.call('c1', 'exec_command', { cmd: CAT.command });

  test('that a call begins', async () => {
    expect(await codexHost.read(prePayload('Bash', CAT, 'c1'))).toEqual({
      conversation: SESSION,
      events: [{ kind: 'before', call: { tool: 'Bash', arguments: CAT, id: 'c1' } }],
      canSpeak: true,
    });
  });

  test('that a command ended; its exit code stands in the rollout', async () => {
    const more = withRollout(started, rollout.command('c1', CAT.command, 1, 'cut'));
    const moment = await codexHost.read(postPayload('Bash', CAT, 'c1', MISSING, more));

    expect(moment!.events).toEqual([
      {
        kind: 'after',
        call: { tool: 'Bash', arguments: CAT, id: 'c1' },
        result: { tool: 'Bash', output: MISSING, exitCode: 1 },
      },
    ]);
  });

  test('nothing of a command whose exit code is not there yet', async () => {
    const moment = await codexHost.read(
      postPayload('Bash', CAT, 'c1', MISSING, withRollout(started)),
    );

    expect(moment!.events).toEqual([]);
  });

  test('what a command printed, where there is no rollout', async () => {
    for (const path of [null, '', join(folder, 'none.jsonl'), folder]) {
      const more = { transcript_path: path };
      const moment = await codexHost.read(postPayload('Bash', CAT, 'c1', MISSING, more));

      expect(moment!.events).toMatchObject([{ result: { tool: 'Bash', output: MISSING } }]);
    }
  });

  test('of calls that fired no hook at the next that does, before it', async () => {
    const more = withRollout(
      rollout.custom('c1', 'apply_patch', 'x'),
      rollout.customOutput('c1', 'apply_patch verification failed: invalid patch'),
      rollout.call('c2', 'exec_command', { cmd: 'ls' }),
    );
    const before = await codexHost.read(prePayload('Bash', { command: 'ls' }, 'c2', more));
    const prompt = await codexHost.read(promptPayload(more));

    expect(before!.events).toMatchObject([
      { kind: 'after', call: { tool: 'apply_patch', id: 'c1' }, result: { isError: true } },
      { kind: 'before', call: { id: 'c2' } },
    ]);
    expect(prompt!.events).toMatchObject([
      { kind: 'after', call: { id: 'c1' } },
      { kind: 'user-spoke' },
    ]);
  });

  test('how a patch and other tools ended', async () => {
    const patched = 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n';
    const content = [
      { type: 'text', text: 'all' },
      { type: 'text', text: 'fine' },
    ];
    const moments = await Promise.all([
      codexHost.read(postPayload('apply_patch', { command: 'x' }, 'c1', patched)),
      codexHost.read(postPayload('mcp__notes__lookup', { q: 'a' }, 'c2', { content })),
      codexHost.read(postPayload('mcp__notes__lookup', {}, 'c3', { content, isError: true })),
      codexHost.read(postPayload('get_goal', {}, 'c4', { goal: null })),
    ]);

    expect(moments.map((moment) => moment!.events[0])).toMatchObject([
      { result: { output: patched, exitCode: 0 } },
      { result: { output: 'all\nfine', isError: false } },
      { result: { isError: true } },
      { result: { output: '{"goal":null}', isError: false } },
    ]);
  });

  test('which agent of a session it is', async () => {
    const moment = await codexHost.read(prePayload('Bash', CAT, 'c1', { agent_id: 'a7' }));

    expect(moment!.conversation).toBe(`${SESSION}/a7`);
  });

  test('nothing that is ours at other moments', async () => {
    for (const payload of [
      {},
      prePayload('', CAT, 'c1'),
      prePayload('Bash', CAT, 'c1', { session_id: 7 }),
      { ...promptPayload(), hook_event_name: 'Stop' },
    ]) {
      expect(await codexHost.read(payload)).toBeUndefined();
    }
  });
});

describe('Codex is told', () => {
  test('advice as context, at any of the moments', () => {
    const payloads = [
      promptPayload(),
      prePayload('Bash', CAT, 'c1'),
      postPayload('Bash', CAT, 'c1', MISSING),
    ];

    expect(payloads.map((each) => codexHost.write(each, { advice: 'Look first.' }))).toEqual([
      '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"Look first."}}',
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"Look first."}}',
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"Look first."}}',
    ]);
  });

  test('a veto as a denial, with the advice in it', () => {
    const written = codexHost.write(prePayload('Bash', CAT, 'c1'), {
      veto: 'No.',
      advice: 'Look.',
    });

    expect(JSON.parse(written)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No.\n\nLook.',
      },
    });
  });

  test('nothing where there is nothing to say', () => {
    expect(codexHost.silence).toBe('');
    expect(codexHost.write(postPayload('Bash', CAT, 'c1', ''), { veto: 'No.' })).toBe('');
  });
});
