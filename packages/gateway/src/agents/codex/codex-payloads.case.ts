import type { JsonObject, JsonValue } from '@holdfast/core';

/** What Codex 0.166.0 tells every hook of a turn. */
const COMMON = {
  session_id: '01a1e5c7-ef0c-7142-a78a-2d69d32dbf50',
  turn_id: '01a1e5c7-ef54-77e2-9c76-ba9e50dbf394',
  transcript_path: null,
  cwd: '/home/me/project',
  model: 'gpt-5.5',
  permission_mode: 'default',
} as const;

export const promptPayload = (more: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'UserPromptSubmit',
  prompt: 'Show the file.',
  ...more,
});

export const prePayload = (
  tool: string,
  input: JsonObject,
  id: string,
  more: JsonObject = {},
): JsonObject => ({
  ...COMMON,
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: input,
  tool_use_id: id,
  ...more,
});

export const postPayload = (
  tool: string,
  input: JsonObject,
  id: string,
  response: JsonValue,
  more: JsonObject = {},
): JsonObject => ({
  ...prePayload(tool, input, id),
  hook_event_name: 'PostToolUse',
  tool_response: response,
  ...more,
});

/** Lines of a rollout, as Codex 0.166.0 writes them, without what nothing is read of. */
export const rollout = {
  turn: (): JsonObject => entry('event_msg', { type: 'task_started', turn_id: COMMON.turn_id }),

  call: (id: string, name: string, args: JsonObject, more: JsonObject = {}): JsonObject =>
    entry('response_item', {
      type: 'function_call',
      status: 'completed',
      id: `fc_${id}`,
      name,
      arguments: JSON.stringify(args),
      call_id: id,
      ...more,
    }),

  custom: (id: string, name: string, input: string): JsonObject =>
    entry('response_item', {
      type: 'custom_tool_call',
      id: `ctc_${id}`,
      status: 'completed',
      call_id: id,
      name,
      input,
    }),

  output: (id: string, output: JsonValue, type = 'function_call_output'): JsonObject =>
    entry('response_item', { type, id: `fco_${id}`, call_id: id, output }),

  customOutput: (id: string, output: JsonValue): JsonObject =>
    rollout.output(id, output, 'custom_tool_call_output'),

  command: (id: string, command: string, exitCode: number, output: string): JsonObject =>
    item({
      type: 'CommandExecution',
      id,
      process_id: '37345',
      command: ['/bin/bash', '-lc', command],
      cwd: 'file:///home/me/project',
      source: 'unified_exec_startup',
      status: exitCode === 0 ? 'completed' : 'failed',
      aggregated_output: output,
      exit_code: exitCode,
      duration: { secs: 0, nanos: 6181 },
    }),

  mcp: (id: string, args: JsonObject, end: JsonObject): JsonObject =>
    item({
      type: 'McpToolCall',
      id,
      server: 'notes',
      tool: 'lookup',
      arguments: args,
      duration: { secs: 0, nanos: 1562886 },
      ...end,
    }),

  item: (fields: JsonObject): JsonObject => item(fields),
};

function item(fields: JsonObject): JsonObject {
  return entry('event_msg', {
    type: 'item_completed',
    thread_id: COMMON.session_id,
    turn_id: COMMON.turn_id,
    item: fields,
    started_at_ms: 1_794_856_448_391,
    completed_at_ms: 1_794_856_448_391,
  });
}

function entry(type: string, payload: JsonObject): JsonObject {
  return { timestamp: '2026-11-16T19:14:08.391Z', ordinal: 14, type, payload };
}

/** What the model is sent of a command that ended. */
export const commandOutput = (exitCode: number, output: string): string =>
  `Chunk ID: 10cd4d\nWall time: 0.0000 seconds\nProcess exited with code ${exitCode}\n` +
  `Original token count: 11\nOutput:\n${output}`;
