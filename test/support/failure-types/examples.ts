import type { FailureType, ToolResult } from '@holdfast/core/advise';
import type { Arrival } from './arrival.ts';
import { aborted, hangs, misfits, misnamed, refused } from './arrival.ts';

/** What the page of a type shows, and what is checked against the code. */
export interface TypeExamples {
  /** What it is, on one line. */
  readonly means: string;
  /** Results as programs, services and hosts write them. Each has to be classified as this type. */
  readonly results: readonly ToolResult[];
  readonly arrivals: readonly Arrival[];
}

const error = (message: string, more: object = {}): unknown =>
  Object.assign(new Error(message), more);

const reported = (text: string): unknown => ({ isError: true, content: [{ type: 'text', text }] });

export const FAILURE_EXAMPLES: Readonly<Record<FailureType, TypeExamples>> = {
  timeout: {
    means: 'it took too long',
    results: [
      { tool: 'bash', output: '', exitCode: 124 },
      { tool: 'bash', output: 'Command timed out after 2m 0.0s', isError: true },
      {
        tool: 'bash',
        output: 'curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received',
        exitCode: 28,
      },
      { tool: 'http_request', output: '', status: 504 },
      {
        tool: 'query_database',
        output: 'ERROR: canceling statement due to statement timeout',
        isError: true,
      },
      {
        tool: 'fetch_url',
        output: 'Error: MCP error -32001: Request timed out',
        isError: true,
      },
    ],
    arrivals: [
      { as: 'a call that the timeout of the guard ends', run: hangs },
      { as: 'HTTP 504 or 408', thrown: error('Gateway Timeout', { status: 504 }) },
      { as: '`ETIMEDOUT`', thrown: error('connect ETIMEDOUT', { code: 'ETIMEDOUT' }) },
      {
        as: 'a result with `isError` that says `Request timed out`',
        returned: reported('Request timed out'),
      },
    ],
  },
  interactive: {
    means: 'it waits for someone to type',
    results: [
      { tool: 'bash', output: 'Do you want to continue? [y/N] ' },
      { tool: 'bash', output: "Password for 'https://me@example.com': " },
      { tool: 'bash', output: 'sudo: a terminal is required to read the password', exitCode: 1 },
      {
        tool: 'bash',
        output:
          "fatal: could not read Username for 'https://example.com': terminal prompts disabled",
        exitCode: 128,
      },
      { tool: 'bash', output: 'EOFError: EOF when reading a line', exitCode: 1 },
    ],
    arrivals: [
      { as: 'a command that hangs until the timeout of the guard ends it', run: hangs },
      {
        as: 'a result with `isError` that says `a terminal is required`',
        returned: reported('sudo: a terminal is required to read the password'),
      },
    ],
  },
  not_found: {
    means: 'a file, a command, a record is not there',
    results: [
      { tool: 'bash', output: 'cat: notes.md: No such file or directory', exitCode: 1 },
      { tool: 'bash', output: 'bash: line 1: rg: command not found', exitCode: 127 },
      {
        tool: 'read_file',
        output: "Error: ENOENT: no such file or directory, open 'notes.md'",
        isError: true,
      },
      { tool: 'http_request', output: 'HTTP/1.1 404 Not Found' },
      { tool: 'query_database', output: 'ERROR: relation "users" does not exist', isError: true },
      {
        tool: 'bash',
        output: 'fatal: not a git repository (or any of the parent directories): .git',
      },
    ],
    arrivals: [
      { as: 'HTTP 404 or 410', thrown: error('Not Found', { status: 404 }) },
      { as: '`ENOENT`', thrown: error('ENOENT: no such file', { code: 'ENOENT' }) },
      { as: 'an error −32601 of MCP', thrown: error('Method not found', { code: -32601 }) },
      {
        as: 'a result with `isError` that says `no such file`',
        returned: reported('no such file: notes.md'),
      },
      {
        as: 'a result with `isError` whose JSON has `"status": 404`',
        returned: reported('{"status": 404, "message": "no such issue"}'),
      },
    ],
  },
  unknown_tool: {
    means: 'no tool has that name',
    results: [
      { tool: 'ReadFiles', notRun: 'unknown-tool' },
      { tool: 'serch', output: 'Unknown tool: serch', isError: true },
      { tool: 'serch', output: 'Error: serch is not a valid tool, try one of [search].' },
      { tool: 'serch', output: 'MCP error -32602: Tool serch not found', isError: true },
    ],
    arrivals: [
      { as: 'a call that the tool runner cannot make, as there is no such tool', run: misnamed },
      {
        as: 'a result with `isError` that says `Unknown tool: serch`',
        returned: reported('Unknown tool: serch'),
      },
    ],
  },
  edit_mismatch: {
    means: 'the text to replace is not there, or there more than once',
    results: [
      { tool: 'Edit', output: 'String to replace not found in file.', isError: true },
      {
        tool: 'str_replace_editor',
        output:
          'No replacement was performed. Multiple occurrences of old_str `return` in lines [3, 9]',
        isError: true,
      },
      {
        tool: 'replace',
        output: 'Failed to edit, 0 occurrences found for old_string in /srv/a.ts',
        isError: true,
      },
      {
        tool: 'bash',
        output: 'error: patch failed: a.ts:3\nerror: a.ts: patch does not apply',
        exitCode: 1,
      },
    ],
    arrivals: [
      {
        as: 'a result with `isError` that says `String to replace not found in file.`',
        returned: reported('String to replace not found in file.'),
      },
      { as: 'an error of that text', thrown: error('String to replace not found in file.') },
    ],
  },
  permission: {
    means: 'not allowed',
    results: [
      {
        tool: 'bash',
        output: "mkdir: cannot create directory '/opt/x': Permission denied",
        exitCode: 1,
      },
      { tool: 'bash', output: 'bash: ./run.sh: Permission denied', exitCode: 126 },
      {
        tool: 'write_file',
        output: "EACCES: permission denied, open '/etc/hosts'",
        isError: true,
      },
      { tool: 'http_request', output: 'HTTP/1.1 403 Forbidden' },
      { tool: 'bash', output: "touch: cannot touch 'a': Read-only file system", exitCode: 1 },
      { tool: 'fetch_url', output: 'Just a moment...\nEnable JavaScript and cookies to continue' },
    ],
    arrivals: [
      { as: 'HTTP 403 that says nothing of a limit', thrown: error('Forbidden', { status: 403 }) },
      { as: '`EACCES` or `EPERM`', thrown: error('EACCES: permission denied', { code: 'EACCES' }) },
      {
        as: 'a result with `isError` that says `permission denied`',
        returned: reported('permission denied: /etc/hosts'),
      },
    ],
  },
  auth: {
    means: 'credentials are missing, wrong or expired',
    results: [
      { tool: 'http_request', output: '', status: 401 },
      {
        tool: 'bash',
        output:
          "remote: Invalid username or token.\nfatal: Authentication failed for 'https://example.com/a.git/'",
        exitCode: 128,
      },
      { tool: 'slack_post', output: '{"ok":false,"error":"invalid_auth"}', isError: false },
      { tool: 'bash', output: 'git@example.com: Permission denied (publickey).', exitCode: 128 },
      {
        tool: 'bash',
        output:
          'An error occurred (ExpiredToken) when calling the ListBuckets operation: The provided token has expired.',
        exitCode: 254,
      },
    ],
    arrivals: [
      { as: 'HTTP 401', thrown: error('Unauthorized', { status: 401 }) },
      { as: 'an error that says `invalid api key`', thrown: error('invalid api key') },
      {
        as: 'a result with `isError` that says `token has expired`',
        returned: reported('token has expired'),
      },
    ],
  },
  denied: {
    means: 'the user or a rule said no; neutral',
    results: [
      { tool: 'bash', notRun: 'denied' },
      {
        tool: 'Bash',
        output: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        isError: true,
      },
      {
        tool: 'Bash',
        output: 'PreToolUse:Bash hook error: [policy]: no pushes to main',
        isError: true,
      },
      { tool: 'shell', output: 'exec command rejected by user', isError: true },
    ],
    arrivals: [{ as: 'a call that an open circuit refuses', run: refused }],
  },
  syntax: {
    means: 'code or data that cannot be read',
    results: [
      {
        tool: 'bash',
        output: "bash: -c: line 2: syntax error near unexpected token `)'",
        exitCode: 2,
      },
      { tool: 'bash', output: "SyntaxError: '(' was never closed", exitCode: 1 },
      {
        tool: 'run_query',
        output: 'ERROR: syntax error at or near "FORM"',
        isError: true,
      },
      {
        tool: 'apply_config',
        output: 'error: error parsing config.yaml: mapping values are not allowed',
        isError: true,
      },
      {
        tool: 'bash',
        output: 'jq: parse error: Invalid numeric literal at line 1, column 5',
        exitCode: 5,
      },
    ],
    arrivals: [
      {
        as: 'a result with `isError` that says `syntax error`',
        returned: reported('syntax error at or near "FORM"'),
      },
      { as: 'a `SyntaxError`', thrown: new SyntaxError('Unexpected token } in JSON') },
    ],
  },
  invalid_args: {
    means: 'the call was not one the tool can take',
    results: [
      {
        tool: 'read_file',
        output: "Input validation error: 'path' is a required property",
        isError: true,
      },
      { tool: 'http_request', output: '', status: 422 },
      { tool: 'bash', output: "ls: unrecognized option '--colour-me'", exitCode: 2 },
      { tool: 'bash', output: "error: unknown option '--frce'", exitCode: 1 },
      { tool: 'create_issue', output: 'MCP error -32602: Invalid params', isError: true },
    ],
    arrivals: [
      {
        as: 'a call that the tool runner does not make, as the arguments do not fit',
        run: misfits,
      },
      { as: 'an error −32602 of MCP', thrown: error('Invalid params', { code: -32602 }) },
      { as: 'HTTP 400 or 422', thrown: error('Unprocessable', { status: 422 }) },
      {
        as: 'a result with `isError` that says `Input validation error`',
        returned: reported("Input validation error: 'path' is a required property"),
      },
      {
        as: 'a result with `isError` that says `unknown option`',
        returned: reported("error: unknown option '--frce'"),
      },
    ],
  },
  network: {
    means: 'it could not be reached',
    results: [
      {
        tool: 'bash',
        output: 'curl: (7) Failed to connect to localhost port 8080: Connection refused',
        exitCode: 7,
      },
      { tool: 'bash', output: 'curl: (6) Could not resolve host: api.example.com', exitCode: 6 },
      {
        tool: 'fetch_url',
        output: 'TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8080',
        isError: true,
      },
      { tool: 'browser_navigate', output: 'page.goto: net::ERR_NAME_NOT_RESOLVED', isError: true },
      {
        tool: 'bash',
        output: 'ssh: connect to host example.com port 22: No route to host',
        exitCode: 255,
      },
    ],
    arrivals: [
      { as: '`ECONNREFUSED`', thrown: error('connect ECONNREFUSED', { code: 'ECONNREFUSED' }) },
      { as: '`ECONNRESET`', thrown: error('read ECONNRESET', { code: 'ECONNRESET' }) },
      { as: '`fetch failed`', thrown: new TypeError('fetch failed') },
      {
        as: 'a result with `isError` that says `connection refused`',
        returned: reported('connection refused'),
      },
    ],
  },
  server_error: {
    means: 'it is there and broken',
    results: [
      { tool: 'http_request', output: '', status: 503 },
      { tool: 'fetch_url', output: '<html><head><title>502 Bad Gateway</title></head></html>' },
      {
        tool: 'ask_model',
        output: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        isError: true,
      },
      { tool: 'search', output: 'Error: Internal Server Error', isError: true },
      { tool: 'search', output: 'rpc error: code = Unavailable desc = UNAVAILABLE', isError: true },
    ],
    arrivals: [
      { as: 'HTTP 500, 502, 503', thrown: error('Bad Gateway', { status: 502 }) },
      { as: 'an error that says `internal server error`', thrown: error('internal server error') },
      {
        as: 'a result with `isError` whose structured content has `status: 503`',
        returned: { isError: true, content: [], structuredContent: { status: 503 } },
      },
      {
        as: 'a result with `isError` that says `internal server error`',
        returned: reported('internal server error'),
      },
    ],
  },
  resource: {
    means: 'memory, disk or a quota is used up',
    results: [
      { tool: 'bash', output: 'Killed', exitCode: 137 },
      { tool: 'bash', output: 'cp: error writing a.bin: No space left on device', exitCode: 1 },
      {
        tool: 'bash',
        output: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
        exitCode: 134,
      },
      { tool: 'write_file', output: 'ENOSPC: no space left on device, write', isError: true },
      {
        tool: 'ask_model',
        output:
          '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
        isError: true,
      },
    ],
    arrivals: [
      { as: '`ENOSPC`', thrown: error('ENOSPC: no space left on device', { code: 'ENOSPC' }) },
      { as: 'an error that says `quota exceeded`', thrown: error('quota exceeded') },
      {
        as: 'a result with `isError` that says `out of memory`',
        returned: reported('out of memory'),
      },
    ],
  },
  rate_limit: {
    means: 'it asks for fewer calls',
    results: [
      { tool: 'http_request', output: '', status: 429 },
      {
        tool: 'fetch_url',
        output: 'HTTP 403\n{"message":"You have exceeded a secondary rate limit"}',
      },
      {
        tool: 'ask_model',
        output: '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}',
        isError: true,
      },
      { tool: 'search', output: 'Error: 429 Too Many Requests', isError: true },
      {
        tool: 'bash',
        output: 'toomanyrequests: You have reached your pull rate limit',
        exitCode: 1,
      },
    ],
    arrivals: [
      { as: 'HTTP 429', thrown: error('Too Many Requests', { status: 429 }) },
      {
        as: 'HTTP 403 with `x-ratelimit-remaining: 0`, `Retry-After`, or words about a limit',
        thrown: error('API rate limit exceeded', { status: 403 }),
      },
      { as: 'an error that says `too many requests`', thrown: error('too many requests') },
      {
        as: 'a result with `isError` that says `too many requests`',
        returned: reported('too many requests'),
      },
    ],
  },
  too_large: {
    means: 'more than it takes or gives at once',
    results: [
      { tool: 'http_request', output: '', status: 413 },
      {
        tool: 'Read',
        output:
          'File content (28375 tokens) exceeds maximum allowed tokens (25000). Use offset and limit.',
        isError: true,
      },
      { tool: 'bash', output: 'bash: /usr/bin/ls: Argument list too long', exitCode: 126 },
      {
        tool: 'ask_model',
        output: '{"error":{"code":"context_length_exceeded","message":"too long"}}',
        isError: true,
      },
    ],
    arrivals: [
      { as: 'HTTP 413', thrown: error('Payload Too Large', { status: 413 }) },
      {
        as: 'a result with `isError` that says `exceeds maximum allowed tokens`',
        returned: reported('File content (28375 tokens) exceeds maximum allowed tokens (25000).'),
      },
    ],
  },
  dependency: {
    means: 'a module, a library, an interpreter is missing',
    results: [
      { tool: 'bash', output: "ModuleNotFoundError: No module named 'requests'", exitCode: 1 },
      { tool: 'bash', output: "Error: Cannot find module 'express'", exitCode: 1 },
      {
        tool: 'bash',
        output:
          './app: error while loading shared libraries: libssl.so.3: cannot open shared object file: No such file or directory',
        exitCode: 127,
      },
      {
        tool: 'bash',
        output: 'ERROR: No matching distribution found for torch==9.9',
        exitCode: 1,
      },
      { tool: 'run_python', output: 'ImportError: cannot import name x', isError: true },
    ],
    arrivals: [
      {
        as: '`MODULE_NOT_FOUND`',
        thrown: error("Cannot find module 'express'", { code: 'MODULE_NOT_FOUND' }),
      },
      {
        as: 'a result with `isError` that says `No module named`',
        returned: reported("No module named 'requests'"),
      },
    ],
  },
  execution: {
    means: 'it failed, and says nothing more',
    results: [
      { tool: 'bash', output: 'Traceback (most recent call last):\nValueError: 7', exitCode: 1 },
      { tool: 'deploy', output: 'the deployment went wrong', isError: true },
      { tool: 'bash', output: 'Segmentation fault (core dumped)', exitCode: 139 },
      { tool: 'search', failureClass: 'tool-error', output: 'no idea' },
    ],
    arrivals: [
      { as: 'an error that says no more', thrown: error('it did not work') },
      {
        as: 'a result with `isError` that says no more',
        returned: reported('the deployment went wrong'),
      },
    ],
  },
  conflict: {
    means: 'something changed, exists or is in use',
    results: [
      { tool: 'http_request', output: '', status: 409 },
      {
        tool: 'Edit',
        output: 'File has been modified since read, either by the user or by a linter.',
        isError: true,
      },
      {
        tool: 'bash',
        output: 'Error: listen EADDRINUSE: address already in use :::3000',
        exitCode: 1,
      },
      {
        tool: 'bash',
        output: "fatal: Unable to create '/srv/a/.git/index.lock': File exists.",
        exitCode: 128,
      },
      {
        tool: 'query_database',
        output: 'ERROR: duplicate key value violates unique constraint',
        isError: true,
      },
    ],
    arrivals: [
      { as: 'HTTP 409', thrown: error('Conflict', { status: 409 }) },
      { as: '`EADDRINUSE`', thrown: error('listen EADDRINUSE', { code: 'EADDRINUSE' }) },
      {
        as: 'a result with `isError` that says `already exists`',
        returned: reported('branch already exists'),
      },
    ],
  },
  check_failed: {
    means: 'a red test, lint or type check: the tool worked, the code did not',
    results: [
      { tool: 'bash', output: '2 failed, 10 passed in 1.02s', exitCode: 1 },
      {
        tool: 'bash',
        output: "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
        exitCode: 2,
      },
      { tool: 'bash', output: '✖ 3 problems (3 errors, 0 warnings)', exitCode: 1 },
      {
        tool: 'bash',
        output: '--- FAIL: TestLogin (0.00s)\nFAIL\tshop/login\t0.012s',
        exitCode: 1,
      },
      { tool: 'bash', output: 'Tests  1 failed | 41 passed (42)', exitCode: 0 },
    ],
    arrivals: [
      {
        as: 'a result with `isError` that says `2 failed, 10 passed`',
        returned: reported('2 failed, 10 passed in 1.02s'),
      },
    ],
  },
  cancelled: {
    means: 'taken back; neutral',
    results: [
      { tool: 'bash', notRun: 'cancelled' },
      { tool: 'bash', output: '^C', exitCode: 130 },
      { tool: 'bash', output: '', signal: 'SIGTERM' },
      { tool: 'Bash', output: '[Request interrupted by user for tool use]', isError: true },
      {
        tool: 'Read',
        output: '<tool_use_error>Sibling tool call errored</tool_use_error>',
        isError: true,
      },
    ],
    arrivals: [{ as: 'a call whose caller aborts it by its signal', run: aborted }],
  },
};
