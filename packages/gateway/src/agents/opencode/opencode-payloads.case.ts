import type { JsonObject } from '@holdfast/core';

const common = { sessionID: 'ses_1', messageID: 'msg_1', callID: 'call_0' };

/** What the plugin tells of a call that came back, as opencode 1.18.33 gave it. */
export const ended = (tool: string, rest: JsonObject): JsonObject => ({
  event: 'tool.execute.after',
  ...common,
  tool,
  args: {},
  isError: false,
  metadata: {},
  ...rest,
});

/** What it tells of a call that threw. */
export const failed = (tool: string, error: string, rest: JsonObject = {}): JsonObject => ({
  event: 'tool.failed',
  ...common,
  tool,
  args: {},
  error,
  metadata: {},
  ...rest,
});

const TIMED_OUT =
  '(no output)\n\n<shell_metadata>\nshell tool terminated command after exceeding timeout 300 ms. If this command ' +
  'is expected to take longer and is not waiting for interactive input, retry with a larger timeout value in ' +
  'milliseconds.\n</shell_metadata>';

const UNAVAILABLE =
  "Model tried to call unavailable tool 'reed'. Available tools: bash, edit, glob, grep, invalid, read, write.";

const NOT_JSON =
  'Invalid input for tool bash: JSON parsing failed: Text: {"command": broken.\n' +
  'Error message: JSON Parse error: Unexpected identifier "broken"';

const REFUSED = 'The arguments provided to the tool are invalid: ';

/** Recorded: what it told, and what that means. */
export const RECORDED: readonly {
  readonly name: string;
  readonly payload: JsonObject;
  readonly status: string;
  readonly type?: string;
}[] = [
  {
    name: 'a command that exits with 1',
    payload: ended('bash', {
      args: { command: 'cat missing.txt', description: 'x' },
      output: 'cat: missing.txt: No such file or directory\n',
      metadata: { exit: 1 },
    }),
    status: 'failure',
    type: 'not_found',
  },
  {
    name: 'a command that exits with 0 and speaks of errors',
    payload: ended('bash', {
      args: { command: 'cat log' },
      output: 'Error: ENOENT: no such file or directory\n',
      metadata: { exit: 0 },
    }),
    status: 'success',
  },
  {
    name: 'a command that took too long',
    payload: ended('bash', { output: TIMED_OUT, metadata: { exit: null } }),
    status: 'failure',
    type: 'timeout',
  },
  {
    name: 'a command that the user stopped',
    payload: ended('bash', {
      output: 'so far\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>',
      metadata: { exit: null },
    }),
    status: 'neutral',
    type: 'cancelled',
  },
  {
    name: 'a file that was read and speaks of errors',
    payload: ended('read', { output: 'Error: permission denied' }),
    status: 'success',
  },
  {
    name: 'the result of an MCP server',
    payload: ended('fix_flaky', { output: 'fine' }),
    status: 'success',
  },
  {
    name: 'the result of an MCP server that says it is an error',
    payload: ended('fix_flaky', { output: 'permission denied', isError: true }),
    status: 'failure',
    type: 'permission',
  },
  {
    name: 'a tool that does not exist',
    payload: ended('invalid', {
      args: { tool: 'reed', error: UNAVAILABLE },
      output: REFUSED + UNAVAILABLE,
    }),
    status: 'failure',
    type: 'unknown_tool',
  },
  {
    name: 'arguments that are no JSON',
    payload: ended('invalid', {
      args: { tool: 'bash', error: NOT_JSON },
      output: REFUSED + NOT_JSON,
    }),
    status: 'failure',
    type: 'invalid_args',
  },
  {
    name: 'arguments that do not fit',
    payload: failed(
      'bash',
      'The bash tool was called with invalid arguments: SchemaError(Missing key\n  at ["command"]).\n' +
        'Please rewrite the input so it satisfies the expected schema.',
    ),
    status: 'failure',
    type: 'invalid_args',
  },
  {
    name: 'an edit of a file that is not there',
    payload: failed('edit', 'File /home/me/nope.txt not found'),
    status: 'failure',
    type: 'not_found',
  },
  {
    name: 'an error of an MCP server',
    payload: failed('fix_flaky', 'MCP error -32603: boom internal'),
    status: 'failure',
    type: 'server_error',
  },
  {
    name: 'a call that went down with the turn',
    payload: failed('bash', 'Tool execution aborted', { metadata: { interrupted: true } }),
    status: 'neutral',
    type: 'cancelled',
  },
  {
    name: 'a call that the user did not want',
    payload: failed('bash', 'The user rejected permission to use this specific tool call.'),
    status: 'neutral',
    type: 'denied',
  },
  {
    name: 'a call that a rule of the user forbids',
    payload: failed(
      'bash',
      'The user has specified a rule which prevents you from using this specific tool call. Here are some of the ' +
        'relevant rules [{"permission":"bash","pattern":"*","action":"deny"}]',
    ),
    status: 'neutral',
    type: 'denied',
  },
];
