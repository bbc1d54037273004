import { describe, expect, test } from 'vitest';
import { readReturned } from './read-failure.ts';

const mcpResult = (text: string, more: object = {}): object => ({
  isError: true,
  content: [{ type: 'text', text }],
  ...more,
});

describe('readReturned', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text that speaks of errors', 'Error: timed out'],
    ['a number', 500],
    ['an object', { status: 500, error: 'x' }],
    ['a list', [{ isError: true }]],
    ['isError false', { isError: false, content: [] }],
    ['is_error false', { is_error: false }],
    ['both null', { is_error: null, isError: null }],
    ['a text for true', { isError: 'true' }],
    ['a number for true', { is_error: 1 }],
    ['is_error false, which wins', { is_error: false, isError: true }],
    ['a value that cannot be asked', new Proxy({}, { get: () => expect.fail('asked') })],
  ])('takes %s for a success', (_, value) => {
    expect(readReturned(value)).toBe(undefined);
  });

  test.each([
    ['isError', { isError: true }],
    ['is_error', { is_error: true }],
    [
      'isError with nothing that can be seen',
      { isError: true, error: '\u0085', message: '\u0000' },
    ],
    ['is_error, which wins', { is_error: true, isError: false }],
    ['is_error null and isError', { is_error: null, isError: true }],
    [
      'a field of a class',
      new (class {
        isError = true;
      })(),
    ],
  ])('takes %s for an error of the tool', (_, value) => {
    expect(readReturned(value)).toEqual({
      class: 'tool-error',
      message: 'the tool reported an error',
      cause: value,
    });
  });

  test.each([
    ['invalid-arguments', mcpResult('Invalid arguments for tool search: [{"path":["q"]}]')],
    ['invalid-arguments', mcpResult('MCP error -32602: Input validation error')],
    ['invalid-arguments', mcpResult("Input validation error: 'q' is a required property")],
    ['invalid-arguments', { is_error: true, content: 'Missing required argument' }],
    ['invalid-arguments', { is_error: true, error: 'missing required field q' }],
    ['invalid-arguments', { is_error: true, error: { message: 'missing required field q' } }],
    ['invalid-arguments', mcpResult('failed', { structuredContent: { status: 422 } })],
    ['not-found', mcpResult('failed', { structuredContent: { status: 404 } })],
    ['not-found', mcpResult('{"status": 404, "message": "no such repository"}')],
    ['not-found', mcpResult('MCP error -32601: Method not found')],
    ['server', mcpResult('failed', { structuredContent: { error: { statusCode: 503 } } })],
    ['server', mcpResult('{"error":{"status_code":"502"}}')],
    ['rate-limited', mcpResult('{"statusCode":429}')],
    ['timeout', mcpResult('MCP error -32001: Request timed out')],
    ['auth', { isError: true, status: 401 }],
    ['not-found', mcpResult("ENOENT: no such file or directory, open '/a'")],
    ['not-found', mcpResult('Error executing tool read: [Errno 2] No such file or directory')],
    ['not-found', mcpResult('GET https://api.example.com/r: 404 Not Found []')],
    ['not-found', mcpResult('Unknown tool: serch')],
    [
      'not-found',
      mcpResult(
        `Traceback (most recent call last):\n${'  at x\n'.repeat(100)}KeyError: not found\n`,
      ),
    ],
    ['auth', mcpResult('Access denied - path outside allowed directories: /etc')],
    ['auth', mcpResult('EACCES: permission denied, open x')],
    ['auth', mcpResult('{\n  "error": "Forbidden"\n}')],
    ['invalid-arguments', mcpResult('EISDIR: illegal operation on a directory, read')],
    ['tool-error', mcpResult('Command failed: npm test\nsh: jest: command not found')],
    ['tool-error', mcpResult('getaddrinfo ENOTFOUND api.example.com')],
    ['tool-error', mcpResult('connection refused: host not found')],
    ['tool-error', mcpResult('request timed out: upstream not found')],
    ['tool-error', mcpResult('502 Bad Gateway: page not found')],
    ['tool-error', mcpResult('')],
    ['tool-error', mcpResult('Output validation error: outputSchema defined but no output')],
    ['tool-error', mcpResult('MCP error -32602: Output validation error: no content')],
    ['tool-error', mcpResult('The page says: 404, not found, connection reset, timed out')],
    ['tool-error', mcpResult('"status": 404 is what the log has')],
    ['tool-error', mcpResult(`${'x'.repeat(500)} Invalid arguments`)],
    ['tool-error', { isError: true, content: [{ type: 'image', data: 'aGk=' }] }],
    ['tool-error', { isError: true, name: 'AbortError' }],
  ])('reads as %s: %j', (failureClass, value) => {
    expect(readReturned(value)?.class).toBe(failureClass);
  });

  test('tells the first text, the status and the wait', () => {
    const value = {
      isError: true,
      content: [
        { type: 'image' },
        { type: 'text', text: 'slow\ndown' },
        { type: 'text', text: 'b' },
      ],
      structuredContent: { status: 429, retry_after: 2.5 },
    };

    expect(readReturned(value)).toEqual({
      class: 'rate-limited',
      message: 'slow down',
      status: 429,
      retryAfterMs: 2500,
      cause: value,
    });
  });
});
