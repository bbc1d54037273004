import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BulkheadFullError, CircuitOpenError, ToolTimeoutError } from '../errors.ts';
import type { FailureClass } from './failure-class.ts';
import { classOfStatus } from './failure-codes.ts';
import { readThrown } from './read-failure.ts';

/** An error with the fields a library puts on it. */
function failing(message: string, fields: object = {}, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? undefined : { cause }), fields);
}

/** As Node writes them: `connect ECONNREFUSED 127.0.0.1:80`. */
function systemError(code: string, syscall = 'connect'): Error {
  return failing(`${syscall} ${code} 127.0.0.1:80`, { code, syscall, errno: -111 });
}

/** As `fetch` of Node throws. */
function fetchFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** As the MCP SDK throws. */
function mcpError(code: number, message: string, data?: unknown): Error {
  return failing(`MCP error ${code}: ${message}`, { name: 'McpError', code, data });
}

const aborted = (reason?: unknown): AbortSignal => AbortSignal.abort(reason);

class APIConnectionTimeoutError extends Error {}

const expectEach = (
  failureClass: FailureClass,
  rows: readonly (readonly [what: string, error: unknown])[],
): void => {
  describe(`reads as ${failureClass}`, () => {
    test.each(rows)('%s', (_, error) => {
      const failure = readThrown(error);

      expect(failure.class).toBe(failureClass);
      expect(failure.cause).toBe(error);
    });
  });
};

expectEach('transport', [
  ['a refused connection', systemError('ECONNREFUSED')],
  ['a reset connection', systemError('ECONNRESET', 'read')],
  ['a host that is not known', systemError('ENOTFOUND', 'getaddrinfo')],
  ['a name server that is away', systemError('EAI_AGAIN', 'getaddrinfo')],
  ['a broken pipe', systemError('EPIPE', 'write')],
  ['a host without a way to it', systemError('EHOSTUNREACH')],
  ['fetch with its cause', fetchFailed(systemError('ECONNREFUSED'))],
  ['fetch of which only the message is left', new TypeError('fetch failed')],
  ['fetch of a browser', new TypeError('Failed to fetch')],
  [
    'fetch that tried two addresses',
    fetchFailed(new AggregateError([systemError('ECONNREFUSED'), systemError('ECONNREFUSED')], '')),
  ],
  ['undici', failing('other side closed', { name: 'SocketError', code: 'UND_ERR_SOCKET' })],
  ['axios', failing('Network Error', { name: 'AxiosError', code: 'ERR_NETWORK' })],
  ['axios that was cut off', failing('Request aborted', { code: 'ECONNABORTED' })],
  ['openai', failing('Connection error.', {}, fetchFailed(systemError('ECONNRESET', 'read')))],
  ['an MCP connection that closed', mcpError(-32_000, 'Connection closed')],
  ['an MCP client of the second SDK', failing('Not connected', { code: 'NOT_CONNECTED' })],
  ['a certificate', failing('certificate has expired', { code: 'CERT_HAS_EXPIRED' })],
  ['half an answer', failing('Premature close', { code: 'ERR_STREAM_PREMATURE_CLOSE' })],
  ['an answer that is not HTTP', failing('Parse Error', { code: 'HPE_INVALID_CONSTANT' })],
  ['Deno', failing('tcp connect error', { name: 'ConnectionRefused' })],
  ['Bun', failing('Unable to connect', { code: 'ConnectionRefused' })],
  ['a text', 'connect ECONNREFUSED 127.0.0.1:80'],
  ['the words alone', new Error('Connection reset by peer')],
  ['a socket', new Error('socket hang up')],
  ["an abort that is not the caller's", new DOMException('aborted', 'AbortError')],
  ["axios's abort that is not the caller's", failing('canceled', { code: 'ERR_CANCELED' })],
]);

expectEach('timeout', [
  ['axios of which the text is left', 'ECONNABORTED: timeout of 1000ms exceeded'],
  ['ours', new ToolTimeoutError('search:timeout', 30_000)],
  ['AbortSignal.timeout', new DOMException('The operation timed out.', 'TimeoutError')],
  ['a connection', systemError('ETIMEDOUT')],
  ['a socket', systemError('ESOCKETTIMEDOUT')],
  ['undici: connecting', fetchFailed(failing('', { code: 'UND_ERR_CONNECT_TIMEOUT' }))],
  ['undici: headers', fetchFailed(failing('', { code: 'UND_ERR_HEADERS_TIMEOUT' }))],
  ['undici: body', fetchFailed(failing('', { code: 'UND_ERR_BODY_TIMEOUT' }))],
  ['axios', failing('timeout of 1000ms exceeded', { code: 'ECONNABORTED' })],
  ['got', failing("Timeout awaiting 'request'", { name: 'TimeoutError', code: 'ETIMEDOUT' })],
  ['openai, which names only the class', new APIConnectionTimeoutError('too slow')],
  ['an MCP request', mcpError(-32_001, 'Request timed out')],
  ['gRPC by name', failing('4 DEADLINE_EXCEEDED', { code: 'DEADLINE_EXCEEDED' })],
  ['gRPC by number', failing('4 …', { code: 4, details: 'Deadline exceeded', metadata: {} })],
  ['execa', failing('Command timed out', { timedOut: true, exitCode: undefined })],
  ['exec', failing('Command failed: make', { killed: true, code: null, signal: 'SIGTERM' })],
  ['tRPC', failing('x', { name: 'TRPCError', code: 'TIMEOUT' })],
  ['408', { status: 408 }],
  ['504', { statusCode: 504 }],
  ['Cloudflare', { status: 524 }],
  ['the words alone', new Error('Request timed out after 30s')],
  ['the word alone', 'Timeout'],
  [
    'an abort of a timeout',
    failing('', { name: 'AbortError' }, new DOMException('', 'TimeoutError')),
  ],
]);

expectEach('server', [
  ['500 in snake case', { status_code: 500 }],
  ['a status that a message begins with, before a body', new Error('503 {"reason":1}')],
  ['500', failing('oops', { status: 500 })],
  ['502 of got', failing('', { response: { statusCode: 502, body: '<html>not found' } })],
  ['503 of axios', failing('', { code: 'ERR_BAD_RESPONSE', response: { status: 503 } })],
  ['529 of anthropic', failing('529 {"type":"error"}', { status: 529, headers: new Headers() })],
  [
    'an overloaded stream of anthropic',
    failing('', { error: { error: { type: 'overloaded_error' } } }),
  ],
  ['AWS', failing('', { name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })],
  ['undici', failing('Response Error', { code: 'UND_ERR_RESPONSE', statusCode: 500 })],
  ['the AI SDK', failing('', { name: 'AI_APICallError', statusCode: 500, isRetryable: true })],
  ['the AI SDK, after retries', failing('', { lastError: { statusCode: 503 } })],
  ['MCP over HTTP, with the status as code', failing('', { code: 503 })],
  ['a status that is a text', { status: '500' }],
  ['JSON-RPC', mcpError(-32_603, 'Internal error')],
  ['gRPC by name', failing('14 UNAVAILABLE: no connection', { code: 'UNAVAILABLE' })],
  ['gRPC by number', failing('14 …', { code: 14, details: 'No connection', metadata: {} })],
  ['Google, whose status is a word', { error: { status: 'UNAVAILABLE', message: 'try later' } }],
  ['the words alone', new Error('HTTP error! status: 500')],
  ['other words', new Error('Error code: 503')],
  ['a status that a message begins with', new Error('502 Bad Gateway')],
  ['a cause far inside', failing('a', {}, failing('b', {}, failing('c', { status: 500 })))],
]);

expectEach('rate-limited', [
  ['GraphQL, which answers 200', { status: 200, message: 'API rate limit exceeded' }],
  [
    'got: 403 with a body',
    failing('', { response: { statusCode: 403, body: '{"message":"rate limit"}' } }),
  ],
  ['Google: 403 with a reason', { status: 403, error: { code: 'rateLimitExceeded' } }],
  ['429', { status: 429 }],
  [
    '429 of a quota',
    failing('You exceeded your current quota', { status: 429, code: 'insufficient_quota' }),
  ],
  [
    'GitHub: 403 with nothing left',
    failing('Forbidden', { status: 403, response: { headers: { 'x-ratelimit-remaining': '0' } } }),
  ],
  [
    'GitHub: 403 with a wait',
    failing('Forbidden', { status: 403, headers: { 'Retry-After': '60' } }),
  ],
  ['GitHub: 403 with a message', failing('API rate limit exceeded for 1.2.3.4', { status: 403 })],
  [
    'GitHub: 403 with a message in the body',
    failing('Request failed with status code 403', {
      response: { status: 403, data: { message: 'You have exceeded a secondary rate limit' } },
    }),
  ],
  [
    'AWS, with 400',
    failing('Rate exceeded', { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } }),
  ],
  ['gRPC', failing('8 RESOURCE_EXHAUSTED', { code: 8, details: 'slow down', metadata: {} })],
  ['a body', { error: { type: 'rate_limit_error', message: 'slow down' } }],
  ['the words alone', new Error('Too Many Requests')],
  ['a text', 'Rate limit reached for requests'],
  ['a quota with a time', { message: 'Quota exceeded', retry_after: 30 }],
  ['a quota with a reset', failing('Quota exceeded', { headers: { 'x-ratelimit-reset': '30' } })],
]);

expectEach('tool-error', [
  ['a number that is no code of JSON-RPC', new Error('part-32602 is broken')],
  ['undici that was called wrongly', failing('x', { code: 'UND_ERR_INVALID_ARG' })],
  ['an error that says no more', new Error('boom')],
  ['a text', 'boom'],
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['an empty object', {}],
  ['a function', () => 'x'],
  ['a conflict', { status: 409 }],
  ['a mistake', new TypeError("Cannot read properties of undefined (reading 'timeout')")],
  ['another', new TypeError('client.rateLimit is not a function')],
  ['JSON that is none', new SyntaxError("Unexpected identifier 'timeout'")],
  ['a program that was killed', failing('x', { killed: false, signal: 'SIGKILL' })],
  ['a quota without a time', new Error('Quota exceeded for project 7')],
  ['a program that ended', failing('Command failed: make', { code: 2, killed: false })],
  ['a number that may be anything', failing('x', { code: 14 })],
  ['a status that is no failure', { status: 200, message: 'odd' }],
  ['a module that is missing', failing('…', { code: 'ERR_MODULE_NOT_FOUND' })],
  ['output of a tool that does not fit', mcpError(-32_602, 'Output validation error: no content')],
  ['a message that begins with a number', '404 files were read, then it stopped'],
]);

expectEach('invalid-arguments', [
  ['400', { status: 400 }],
  ['422', { response: { status: 422 } }],
  ['openai', failing('400 bad', { status: 400, code: null, type: 'invalid_request_error' })],
  ['MCP', mcpError(-32_602, 'Tool search not found')],
  ['zod', failing('[{"code":"invalid_type"}]', { name: 'ZodError', issues: [] })],
  ['yup', failing('q is a required field', { name: 'ValidationError' })],
  ['AWS', failing('', { name: 'ValidationException', $metadata: { httpStatusCode: 400 } })],
  ['gRPC', failing('3 …', { code: 3, details: 'bad', metadata: {} })],
  ['Node', failing('The "path" argument must be …', { code: 'ERR_INVALID_ARG_TYPE' })],
  ['a URL', failing('Invalid URL', { code: 'ERR_INVALID_URL' })],
  ['MCP as a text', 'MCP error -32602: nope'],
  ...[
    'Invalid arguments for tool search',
    'invalid params',
    'Missing required parameter: query',
    'missing 1 required positional argument',
    "must have required property 'query'",
    "Input validation error: 'query' is a required property",
    '1 validation error for call[search]',
    'Invalid input: expected string, received number',
    'Unrecognized key(s) in object',
    'got an unexpected keyword argument',
    'must NOT have additional properties',
  ].map((text) => [text, new Error(text)] as const),
]);

expectEach('auth', [
  ['401', { status: 401 }],
  ['403', failing('Forbidden', { status: 403 })],
  [
    '403 with calls left',
    failing('Resource not accessible', {
      status: 403,
      response: { headers: { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1790000000' } },
    }),
  ],
  ['a file', failing("EACCES: permission denied, open '/x'", { code: 'EACCES' })],
  ['a change', failing('EPERM: operation not permitted', { code: 'EPERM' })],
  ['gRPC', failing('16 UNAUTHENTICATED', { code: 'UNAUTHENTICATED' })],
  [
    'AWS, with 400',
    failing('', { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }),
  ],
  ['the MCP SDK', failing('Unauthorized', { name: 'UnauthorizedError' })],
  ['the words alone', new Error('Invalid API key')],
]);

expectEach('not-found', [
  ['404', { status: 404 }],
  ['410', { statusCode: 410 }],
  ['a Response', new Response('', { status: 404 })],
  ['404 with other words', failing('timeout, rate limit, ECONNRESET', { status: 404 })],
  ['a file', failing("ENOENT: no such file or directory, open '/x'", { code: 'ENOENT' })],
  ['a file as a text', "ENOENT: no such file or directory, open '/x'"],
  ['a method of MCP', mcpError(-32_601, 'Method not found')],
  ['gRPC', failing('5 NOT_FOUND', { code: 'NOT_FOUND' })],
  ['AWS', failing('', { name: 'NoSuchKey' })],
  ['the words alone', new Error('User 7 does not exist')],
  ['axios of which the message is left', 'Request failed with status code 404'],
]);

expectEach('refused', [
  ['a circuit', new CircuitOpenError('search', 1500)],
  ['a bulkhead', new BulkheadFullError(10, 10)],
  [
    'a circuit further in',
    new Error('cannot search', { cause: new CircuitOpenError('search', 1) }),
  ],
  ['a gateway', { code: 'CIRCUIT_OPEN', message: "Breaker open for tool 'x'" }],
]);

/** Nobody is asked: the signal has aborted before. Bun looks at no signal where a URL holds its own data. */
const NOWHERE = 'http://127.0.0.1:1/';

describe('errors of the runtime', () => {
  test.each<[FailureClass, string, () => unknown]>([
    ['not-found', 'a file that is not there', () => readFile('/no/such/file')],
    ['invalid-arguments', 'a path that is none', () => readFile(undefined as never)],
    ['invalid-arguments', 'a URL that is none', () => new URL('no url')],
    ['tool-error', 'JSON that is none', () => JSON.parse('<html>timeout') as unknown],
    ['transport', 'a fetch that aborted itself', () => fetch(NOWHERE, { signal: aborted() })],
    ['timeout', 'a fetch that took too long', () => fetch(NOWHERE, { signal: late() })],
  ])('are read as %s: %s', async (failureClass, _, work) => {
    const thrown = await (async () => work())().catch((error: unknown) => error);
    expect(readThrown(thrown).class).toBe(failureClass);
  });

  const late = (): AbortSignal => aborted(new DOMException('late', 'TimeoutError'));
});

describe("the caller's abort", () => {
  test.each([
    ['an AbortError', new DOMException('aborted', 'AbortError')],
    ['the words of one', new Error('Request was aborted.')],
    ['a reset connection', systemError('ECONNRESET', 'read')],
    ['what the MCP SDK makes of it', mcpError(-32_001, 'AbortError: This operation was aborted')],
    ['an error that says no more', new Error('stopped')],
  ])('is told by %s', (_, error) => {
    expect(readThrown(error, aborted())).toEqual({
      class: 'cancelled',
      message: 'the caller cancelled it',
      cause: error,
    });
  });

  test('is told by its reason, whatever that is', () => {
    const reason = failing('enough', { name: 'ValidationError' });

    expect(readThrown(reason, aborted(reason)).class).toBe('cancelled');
    expect(readThrown(new Error('x', { cause: reason }), aborted(reason)).class).toBe('cancelled');
    expect(readThrown('stop', aborted('stop')).class).toBe('cancelled');
  });

  test('does not hide an answer of the tool', () => {
    expect(readThrown({ status: 500 }, aborted()).class).toBe('server');
    expect(readThrown({ status: 409 }, aborted()).class).toBe('tool-error');
    expect(readThrown(mcpError(-32_602, 'nope'), aborted()).class).toBe('invalid-arguments');
  });

  test('is none while the signal is not aborted', () => {
    const { signal } = new AbortController();

    expect(readThrown(new DOMException('aborted', 'AbortError'), signal).class).toBe('transport');
    expect(readThrown(new DOMException('late', 'TimeoutError'), signal).class).toBe('timeout');
  });
});

describe('laws', () => {
  const message = fc.oneof(fc.string(), fc.constantFrom('timed out', 'rate limit', 'ENOENT'));

  test('a status says more than any words', () => {
    const status = fc.integer({ min: 400, max: 599 }).filter((one) => one !== 403);

    fc.assert(
      fc.property(status, message, (one, words) => {
        expect(readThrown({ status: one, message: words }).class).toBe(classOfStatus(one));
      }),
    );
  });

  test('an error around another changes nothing that status, code or name said', () => {
    const code = fc.constantFrom('ECONNREFUSED', 'ETIMEDOUT', 'ENOENT', 'UNAVAILABLE', 'EACCES');
    const name = fc.constantFrom('ZodError', 'TimeoutError', 'RateLimitError', 'NoSuchKey');
    const status = fc.integer({ min: 400, max: 599 });
    const inner = fc.oneof(fc.record({ code }), fc.record({ name }), fc.record({ status }));

    fc.assert(
      fc.property(inner, fc.constantFrom('cause', 'error', 'data', 'lastError'), (one, key) => {
        const { class: found } = readThrown(one);
        expect(readThrown({ message: 'failed', [key]: one }).class).toBe(found);
        expect(readThrown(new AggregateError([one], 'all failed')).class).toBe(found);
      }),
    );
  });
});

describe('a failure', () => {
  test('has the status, the code and the wait that were there', () => {
    const headers = new Headers({ 'retry-after': '7' });
    const error = failing('slow down', { status: 429, code: 'rate_limit_exceeded', headers });

    expect(readThrown(error)).toEqual({
      class: 'rate-limited',
      message: 'slow down',
      status: 429,
      code: 'rate_limit_exceeded',
      retryAfterMs: 7000,
      cause: error,
    });
  });

  test('tells the code that says something, wherever it is', () => {
    expect(readThrown(fetchFailed(systemError('ENOTFOUND'))).code).toBe('ENOTFOUND');
    expect(readThrown(mcpError(-32_602, 'x')).code).toBe('-32602');
    expect(readThrown(failing('x', { code: 'MY_OWN' })).code).toBe('MY_OWN');
    expect(readThrown(new Error('x'))).not.toHaveProperty('code');
  });

  test.each([
    [new Error('boom'), 'boom'],
    ['boom', 'boom'],
    [fetchFailed(systemError('ECONNREFUSED')), 'fetch failed: connect ECONNREFUSED 127.0.0.1:80'],
    [failing('a: b', {}, new Error('b')), 'a: b'],
    [new AggregateError([new Error('first')], ''), 'first'],
    [failing('two\n  lines\u001b[31m', {}), 'two lines [31m'],
    [{ error: { message: 'inside' } }, 'inside'],
    [{ status: 503 }, 'HTTP 503'],
    [new Error(' \n\u0000', { cause: new Error('why') }), 'why'],
    [new Error(' '), 'Error without a message'],
    [new RangeError(), 'RangeError without a message'],
    [{}, 'something without a message was thrown'],
    [undefined, 'undefined was thrown'],
    [null, 'null was thrown'],
    ['', 'an empty text was thrown'],
    [Symbol('x'), 'Symbol(x) was thrown'],
  ])('says in one line what was thrown: %o', (error, message) => {
    expect(readThrown(error).message).toBe(message);
  });

  test('cuts what is long', () => {
    const { message } = readThrown(new Error('x'.repeat(10_000)));
    expect(message).toBe(`${'x'.repeat(2000)}…`);
  });

  test('is read from the beginning of a message only', () => {
    expect(readThrown(new Error(`${'x'.repeat(500)} timed out`)).class).toBe('tool-error');
    expect(readThrown(new Error(`${'x'.repeat(480)} timed out`)).class).toBe('timeout');
  });
});
