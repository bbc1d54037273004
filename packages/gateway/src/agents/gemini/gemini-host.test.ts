import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { geminiHost } from './gemini-host.ts';
import {
  afterTool,
  beforeAgent,
  beforeTool,
  FILE_NOT_FOUND,
  MISSING,
  recordedCall,
  SESSION,
  shellResponse,
} from './gemini-payloads.case.ts';

const call = {
  tool: 'run_shell_command',
  arguments: { command: 'cat missing.txt', description: 'Shows it' },
};

describe('what Gemini CLI tells', () => {
  test('before a call is that it begins, and nothing said then is heard', async () => {
    expect(await geminiHost.read(beforeTool())).toEqual({
      conversation: SESSION,
      events: [{ kind: 'before', call }],
      canSpeak: false,
    });
  });

  test('after a call is how it ended', async () => {
    const payload = afterTool(shellResponse(MISSING, 'Exit Code: 1'));
    expect(await geminiHost.read(payload)).toEqual({
      conversation: SESSION,
      events: [
        {
          kind: 'after',
          call,
          result: { tool: 'run_shell_command', output: MISSING, exitCode: 1 },
        },
      ],
      canSpeak: true,
    });
  });

  test('when a prompt comes is that the user spoke', async () => {
    const moment = await geminiHost.read(beforeAgent());
    expect(moment).toMatchObject({ events: [{ kind: 'user-spoke' }], canSpeak: false });
  });

  test('does not depend on when a call is to run', async () => {
    const fields = { tool_input: { command: 'ls', wait_for_previous: true } };
    const moment = await geminiHost.read(beforeTool(fields));
    expect(moment?.events).toEqual([
      { kind: 'before', call: { tool: 'run_shell_command', arguments: { command: 'ls' } } },
    ]);
  });

  test('of a full disk ends the session: advice waits', async () => {
    const error = { type: 'no_space_left', message: 'No space left on device' };
    const moment = await geminiHost.read(afterTool({ llmContent: '', error }));
    expect(moment?.canSpeak).toBe(false);
  });

  test.for([
    ['a hook that we have not', beforeAgent({ hook_event_name: 'SessionStart' })],
    ['a conversation without a name', beforeTool({ session_id: '' })],
    ['a call without a tool', beforeTool({ tool_name: 7 })],
    [
      'a call that is made again when the user has allowed more',
      afterTool({
        llmContent: 'Sandbox expansion required',
        error: { type: 'sandbox_expansion_required', message: '{}' },
      }),
    ],
  ] as const)('is none of ours: %s', async ([, payload]) => {
    expect(await geminiHost.read(payload)).toBeUndefined();
  });
});

describe('calls that fire no hook', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-gemini-'));
  const path = join(folder, 'session.jsonl');
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const unknown = { id: 'a', name: 'cat_file', args: { path: 'x' } };
  const notFound = 'Tool "cat_file" not found. Did you mean "read_file"?';
  const unfit = { id: 'b', name: 'read_file', args: {} };
  const missing = "params must have required property 'file_path'";

  test('are found in the transcript, each once, before what the hook tells', async () => {
    const heard = { id: 'c', name: 'read_file', args: { file_path: 'nope.txt' } };
    const lines = [
      recordedCall(unknown, notFound),
      recordedCall(unknown, notFound),
      recordedCall(unfit, missing),
      recordedCall(heard, FILE_NOT_FOUND.error.message),
      '{"id":"cut","toolCalls":[{"id":"d","na',
    ];
    writeFileSync(path, lines.join('\n'));

    const moment = await geminiHost.read(beforeTool({ transcript_path: path }));
    expect(moment?.events).toEqual([
      {
        kind: 'after',
        call: { tool: 'cat_file', arguments: { path: 'x' }, id: 'a' },
        result: { tool: 'cat_file', output: notFound, notRun: 'unknown-tool' },
      },
      {
        kind: 'after',
        call: { tool: 'read_file', arguments: {}, id: 'b' },
        result: { tool: 'read_file', output: missing, isError: true },
      },
      { kind: 'before', call },
    ]);
  });

  test.for(['', join(folder, 'missing.jsonl'), folder])(
    'are none where there is no transcript: %s',
    async (place) => {
      const moment = await geminiHost.read(beforeTool({ transcript_path: place }));
      expect(moment?.events).toEqual([{ kind: 'before', call }]);
    },
  );
});

describe('what Gemini CLI is told', () => {
  const advice = '⚠️ Tool guidance: Look first.';

  test('goes with the result of a call that has one', () => {
    const payload = afterTool(shellResponse(MISSING, 'Exit Code: 1'));
    expect(JSON.parse(geminiHost.write(payload, { advice }))).toEqual({
      hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: advice },
    });
  });

  test('stands behind the error of a tool, of which nothing else is sent', () => {
    const payload = afterTool(FILE_NOT_FOUND, { tool_name: 'read_file' });
    expect(JSON.parse(geminiHost.write(payload, { advice }))).toEqual({
      decision: 'deny',
      reason: `File not found: /home/me/proj/nope.txt\n\n${advice}`,
    });
  });

  test('before a call is a veto, or nothing', () => {
    expect(JSON.parse(geminiHost.write(beforeTool(), { veto: 'No.', advice }))).toEqual({
      decision: 'deny',
      reason: 'No.',
    });
    expect(geminiHost.write(beforeTool(), { advice })).toBe('{}');
  });

  test('never takes a result or a prompt away by a veto', () => {
    const payload = afterTool(shellResponse(MISSING));
    expect(geminiHost.write(payload, { veto: 'No.' })).toBe('{}');
    expect(geminiHost.write(beforeAgent(), { veto: 'No.', advice })).toBe('{}');
  });

  test('is JSON where there is nothing to say', () => {
    expect(JSON.parse(geminiHost.silence)).toEqual({});
  });
});
