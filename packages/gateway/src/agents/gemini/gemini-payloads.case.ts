import type { JsonObject, JsonValue } from '@holdfast/core';

/** What Gemini CLI 0.61.0 sends to every hook; ids and paths are made up. */
const COMMON = {
  session_id: 'd78d164d-6047-472e-a400-836b9a1deb4a',
  transcript_path: '',
  cwd: '/home/me/proj',
  timestamp: '2026-11-16T19:15:57.405Z',
};

export const SESSION = COMMON.session_id;

const SHELL = {
  tool_name: 'run_shell_command',
  tool_input: { command: 'cat missing.txt', description: 'Shows it' },
};

export const beforeAgent = (fields: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'BeforeAgent',
  prompt: 'Show it.',
  ...fields,
});

export const beforeTool = (fields: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'BeforeTool',
  ...SHELL,
  ...fields,
});

export const afterTool = (response: JsonObject, fields: JsonObject = {}): JsonObject => ({
  ...COMMON,
  hook_event_name: 'AfterTool',
  ...SHELL,
  tool_response: response,
  ...fields,
});

/** As the shell tool tells of a command that ended: with what it printed, and what is known besides. */
export const shellResponse = (printed: string, ...fields: readonly string[]): JsonObject => {
  const lines = [`Output: ${printed || '(empty)'}`, ...fields, 'Process Group PGID: 2892'];
  return {
    llmContent: `<untrusted_context>\n${lines.join('\n')}\n</untrusted_context>`,
    returnDisplay: printed,
  };
};

export const MISSING = 'cat: missing.txt: No such file or directory';

export const FILE_NOT_FOUND = {
  llmContent: 'Could not read file because no file was found at the specified path.',
  returnDisplay: 'File not found.',
  error: { message: 'File not found: /home/me/proj/nope.txt', type: 'file_not_found' },
};

/** A line of a transcript with a call that has ended. */
export const recordedCall = (
  call: { readonly id: string; readonly name: string; readonly args: JsonValue },
  error: string,
): string =>
  JSON.stringify({
    id: '31dafca2-64cc-4e66-ab74-2713a39750f6',
    timestamp: '2026-11-16T19:15:58.694Z',
    type: 'gemini',
    content: '',
    toolCalls: [
      {
        ...call,
        result: [{ functionResponse: { id: call.id, name: call.name, response: { error } } }],
        status: 'error',
        resultDisplay: error,
        description: '',
        displayName: call.name,
      },
    ],
  });
