import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '@holdfast/core';
import { classify } from '@holdfast/core/advise';
import { afterAll, describe, expect, test } from 'vitest';
import { claudeCodeHost } from './claude-code-host.ts';
import {
  batched,
  permissionDenied,
  postToolBatch,
  postToolUseFailure,
  preToolUse,
  SESSION,
  TASK_NOTIFICATION,
  transcriptLine,
  userPromptSubmit,
} from './claude-code-payloads.case.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-claude-code-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the advisor makes of the only call that a payload tells of. */
async function verdictOf(payload: JsonObject): Promise<readonly [string, string | undefined]> {
  const { events } = (await claudeCodeHost.read(payload))!;
  expect(events).toHaveLength(1);
  const [event] = events;
  if (event?.kind !== 'after') throw new Error(`expected the end of a call, got ${event?.kind}`);
  const { status, type } = classify({ arguments: event.call.arguments!, ...event.result });
  return [status, type];
}

const inBatch = (tool: string, response: JsonValue, input: JsonObject = {}): JsonObject =>
  postToolBatch([batched(tool, input, response)]);

/** The rounds of the calls that a payload tells of. */
async function roundsIn(payload: JsonObject): Promise<readonly unknown[]> {
  const { events } = (await claudeCodeHost.read(payload))!;
  return events.map((event) => (event.kind === 'user-spoke' ? undefined : event.call.round));
}

describe('a call that failed', () => {
  test('is told with its exit code, its output without that, and how long it took', async () => {
    expect(await claudeCodeHost.read(postToolUseFailure())).toEqual({
      conversation: SESSION,
      canSpeak: false,
      events: [
        {
          kind: 'after',
          call: {
            tool: 'Bash',
            arguments: { command: 'cat missing.txt', description: 'Shows it' },
            id: 'toolu_001',
          },
          result: {
            tool: 'Bash',
            isError: true,
            exitCode: 1,
            output: 'cat: missing.txt: No such file or directory',
            durationMs: 47,
          },
        },
      ],
    });
  });

  test.for([
    ['Bash', 'Exit code 1\ncat: missing.txt: No such file or directory', 'not_found'],
    ['Bash', 'Exit code 143\nCommand timed out after 1s', 'timeout'],
    ['Bash', 'Exit code 127\n/bin/bash: line 1: jqq: command not found', 'not_found'],
    ['Read', 'File does not exist. Note: your current working directory is /home/me.', 'not_found'],
    ['mcp__x__find', 'no such row', 'not_found'],
  ] as const)('of %s, "%s", is of type %s', async ([tool, error, type]) => {
    const payload = postToolUseFailure({ tool_name: tool, error });
    expect(await verdictOf(payload)).toEqual(['failure', type]);
  });

  test('of a tool that is no shell has no exit code', async () => {
    const payload = postToolUseFailure({ tool_name: 'mcp__x__run', error: 'Exit code 3\nno' });
    const { events } = (await claudeCodeHost.read(payload))!;
    expect(events[0]).toMatchObject({ result: { output: 'Exit code 3\nno' } });
    expect(events[0]).not.toHaveProperty('result.exitCode');
  });

  test('because the user stopped it does not count', async () => {
    expect(await verdictOf(postToolUseFailure({ is_interrupt: true }))).toEqual([
      'neutral',
      'cancelled',
    ]);
  });
});

describe('a call in a batch', () => {
  test('has worked where nobody said that it failed, whatever it printed', async () => {
    const log = 'ERROR: connection refused\nTraceback (most recent call last):';
    expect(await verdictOf(inBatch('Read', log))).toEqual(['success', undefined]);
    expect(await verdictOf(inBatch('Bash', '(Bash completed with no output)'))).toEqual([
      'success',
      undefined,
    ]);
    const blocks = [{ type: 'text', text: 'fine' }];
    expect(await verdictOf(inBatch('mcp__x__ok', blocks))).toEqual(['success', undefined]);
  });

  test.for([
    ['Nope', 'Error: No such tool available: Nope', 'unknown_tool'],
    [
      'Bash',
      'InputValidationError: Bash failed due to the following issues:\nThe required parameter `command` is missing',
      'invalid_args',
    ],
    ['Edit', 'File has not been read yet. Read it first before writing to it.', 'conflict'],
    ['Edit', 'String to replace not found in file.\nString: nothere', 'edit_mismatch'],
    ['Edit', 'File does not exist. Note: your current working directory is /home/me.', 'not_found'],
  ] as const)('of %s that was refused with "%s" is of type %s', async ([tool, text, type]) => {
    const payload = inBatch(tool, `<tool_use_error>${text}</tool_use_error>`);
    expect(await verdictOf(payload)).toEqual(['failure', type]);
  });

  test.for([
    "Claude requested permissions to write to /home/me/a.txt, but you haven't granted it yet.",
    'Permission to use Bash with command rm -rf /a/very/long/path/that/goes/on/and/on has been denied.',
    'Permission for this action was denied by the Claude Code auto mode classifier. Reason: no',
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    'PreToolUse:Bash hook error: not today',
  ])('that was denied with "%s" does not count', async (text) => {
    expect(await verdictOf(inBatch('Bash', text))).toEqual(['neutral', 'denied']);
  });

  test.for(['Sibling tool call errored', 'Cancelled: parallel tool call Bash(ls) errored'])(
    'that never ran, "%s", does not count',
    async (text) => {
      const payload = inBatch('Bash', `<tool_use_error>${text}</tool_use_error>`);
      expect(await verdictOf(payload)).toEqual(['neutral', 'cancelled']);
    },
  );

  test('that was not let through by the classifier does not count', async () => {
    expect(await verdictOf(permissionDenied())).toEqual(['neutral', 'denied']);
  });
});

describe('calls of one answer', () => {
  const transcript = join(folder, 'session.jsonl');
  const lines = [
    '"cut off at the beginning"}}',
    transcriptLine('msg_1', 'toolu_1'),
    transcriptLine('msg_2', 'toolu_2'),
    transcriptLine('msg_2', 'toolu_3'),
    '{"type":"api-request","tools":["toolu_3"]}',
    '{"type":"assistant","mess',
  ];
  writeFileSync(transcript, lines.join('\n'));
  const failed = (id: string, fields: JsonObject = {}): JsonObject =>
    postToolUseFailure({ tool_use_id: id, transcript_path: transcript, ...fields });

  test('are one round, told by the transcript', async () => {
    expect(await roundsIn(failed('toolu_1'))).toEqual(['msg_1']);
    expect(await roundsIn(failed('toolu_2'))).toEqual(['msg_2']);
    expect(await roundsIn(failed('toolu_3'))).toEqual(['msg_2']);
    const calls = ['toolu_2', 'toolu_3'].map((id) => batched('Read', {}, 'text', id));
    const batch = postToolBatch(calls, { transcript_path: transcript });
    expect(await roundsIn(batch)).toEqual(['msg_2', 'msg_2']);
    expect(
      await roundsIn(preToolUse({ transcript_path: transcript, tool_use_id: 'toolu_1' })),
    ).toEqual(['msg_1']);
  });

  test('are found in the transcript of their own agent, under a conversation of their own', async () => {
    const own = join(folder, 'session', 'subagents');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'agent-a48.jsonl'), transcriptLine('msg_9', 'toolu_1'));
    const payload = failed('toolu_1', { agent_id: 'a48' });

    expect((await claudeCodeHost.read(payload))?.conversation).toBe(`${SESSION}/a48`);
    expect(await roundsIn(payload)).toEqual(['msg_9']);
    expect(await roundsIn(failed('toolu_1', { agent_id: '../../x' }))).toEqual([undefined]);
  });

  test('are one round of a batch even where there is no transcript', async () => {
    const calls = ['toolu_7', 'toolu_8'].map((id) => batched('Read', {}, 'text', id));
    expect(await roundsIn(postToolBatch(calls))).toEqual(['toolu_7', 'toolu_7']);
    expect(await roundsIn(postToolUseFailure())).toEqual([undefined]);
  });
});

test('hears the user, and no task that ended in the background', async () => {
  expect(await claudeCodeHost.read(userPromptSubmit('Go on.'))).toEqual({
    conversation: SESSION,
    events: [{ kind: 'user-spoke' }],
    canSpeak: false,
  });
  expect(await claudeCodeHost.read(userPromptSubmit(TASK_NOTIFICATION))).toBeUndefined();
});

test('has nothing to do with other events, nor with what is no session', async () => {
  expect(await claudeCodeHost.read({ ...preToolUse(), hook_event_name: 'Stop' })).toBeUndefined();
  expect(await claudeCodeHost.read({ hook_event_name: 'PreToolUse' })).toBeUndefined();
  expect(await claudeCodeHost.read(postToolBatch([], { tool_calls: 'none' }))).toMatchObject({
    events: [],
  });
});

describe('what is printed', () => {
  const written = (payload: JsonObject, answer: object): unknown =>
    JSON.parse(claudeCodeHost.write(payload, answer));

  test('is advice after a batch, within what Claude Code takes', () => {
    expect(written(postToolBatch([]), { advice: 'Look again.' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext: 'Look again.' },
    });
    expect(written(postToolBatch([]), { advice: 'x'.repeat(20_000) })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolBatch',
        additionalContext: 'x'.repeat(10_000),
      },
    });
  });

  test('denies a call only for a veto, and only before it', () => {
    expect(written(preToolUse(), { veto: 'It failed twice.' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'It failed twice.',
      },
    });
    expect(JSON.stringify(written(preToolUse(), { advice: 'Look again.' }))).not.toContain('deny');
    expect(claudeCodeHost.silence).toBe('');
  });
});
