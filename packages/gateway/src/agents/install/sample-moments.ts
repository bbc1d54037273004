import type { JsonObject } from '@holdfast/core';
import type { HostName } from '../host-name.ts';

const COMMAND = 'cat /no/such/holdfast-sample';
const MESSAGE = 'cat: /no/such/holdfast-sample: No such file or directory';

/**
 * What an agent would tell its hooks of a command that failed, was made again and failed the same way. Behind the
 * last of it there is advice.
 */
export function sampleMoments(name: HostName, session: string): readonly JsonObject[] {
  return [1, 2].flatMap((turn) => SAMPLES[name](session, `sample-${turn}`));
}

const SAMPLES: Readonly<Record<HostName, (session: string, id: string) => readonly JsonObject[]>> =
  {
    'claude-code': (session, id) => {
      const common = { session_id: session, cwd: '/', permission_mode: 'default' };
      const call = { tool_name: 'Bash', tool_input: { command: COMMAND }, tool_use_id: id };
      const error = `Exit code 1\n${MESSAGE}`;
      return [
        {
          ...common,
          ...call,
          hook_event_name: 'PostToolUseFailure',
          error,
          is_interrupt: false,
          duration_ms: 5,
        },
        {
          ...common,
          hook_event_name: 'PostToolBatch',
          tool_calls: [{ ...call, tool_response: error }],
        },
      ];
    },
    codex: (session, id) => [
      {
        session_id: session,
        turn_id: id,
        transcript_path: null,
        cwd: '/',
        hook_event_name: 'PostToolUse',
        model: 'sample',
        permission_mode: 'default',
        tool_name: 'Bash',
        tool_input: { command: COMMAND },
        tool_response: MESSAGE,
        tool_use_id: id,
      },
    ],
    gemini: (session) => [
      {
        session_id: session,
        transcript_path: '',
        cwd: '/',
        hook_event_name: 'AfterTool',
        timestamp: '2026-01-01T00:00:00.000Z',
        tool_name: 'run_shell_command',
        tool_input: { command: COMMAND },
        tool_response: { llmContent: `Output: ${MESSAGE}\nExit Code: 1`, returnDisplay: MESSAGE },
      },
    ],
    opencode: (session, id) => [
      {
        event: 'tool.execute.after',
        sessionID: session,
        messageID: `message-${id}`,
        callID: id,
        tool: 'bash',
        args: { command: COMMAND },
        output: MESSAGE,
        metadata: { exit: 1 },
      },
    ],
    'agent-zero': (session, id) => [
      {
        event: 'tool_execute_after',
        session,
        agent: 0,
        tool: 'code_execution_tool',
        args: { runtime: 'terminal', code: COMMAND },
        call_id: id,
        output: MESSAGE,
      },
    ],
  };
