import { describe, expect, test } from 'vitest';
import {
  isConnectionRefused,
  isFileBusy,
  isLspNotReady,
  isRateLimited,
  isServerError,
  isTimeout,
} from './detectors.ts';

type Row = readonly [what: string, error: unknown, expected: boolean];

const coded = (code: string): Error => Object.assign(new Error('failed'), { code });
const inside = (error: unknown): Error => new Error('outer', { cause: error });

const tables: readonly (readonly [
  name: string,
  detector: (error: unknown) => boolean,
  rows: readonly Row[],
])[] = [
  [
    'isRateLimited',
    isRateLimited,
    [
      ['429', { status: 429 }, true],
      ['429 as statusCode', { statusCode: 429 }, true],
      ['429 of an answer', { response: { status: 429 } }, true],
      ['429 inside', inside({ status: 429 }), true],
      ['403 that speaks of a limit', { status: 403, message: 'rate limit' }, true],
      ['403 inside that speaks of a limit', inside({ status: 403, message: 'rate limit' }), true],
      ['an abort with the words', new DOMException('rate limit', 'AbortError'), true],
      ['a mistake with the words', new SyntaxError('rate limit'), true],
      [
        '403 inside that speaks of a quota',
        inside({ status: 403, message: 'Quota exceeded' }),
        true,
      ],
      ['403 that speaks of a quota', { status: 403, message: 'Quota exceeded' }, true],
      ['403 with a header', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, true],
      ['rate limit', new Error('Rate limit reached'), true],
      ['too many requests', new Error('Too Many Requests'), true],
      ['quota exceeded', new Error('Quota exceeded'), true],
      ['api rate limit exceeded', new Error('API rate limit exceeded for user'), true],
      ['a text', 'rate limit', true],
      ['words inside', inside(new Error('too many requests')), true],
      ['403 alone', { status: 403, message: 'Forbidden' }, false],
      ['404 with the words', { status: 404, message: 'rate limit' }, false],
      ['500', { status: 500 }, false],
      ['another error', new Error('boom'), false],
      ['nothing', undefined, false],
    ],
  ],
  [
    'isServerError',
    isServerError,
    [
      ['500', { status: 500 }, true],
      ['503', { status: 503 }, true],
      ['504', { status: 504 }, true],
      ['599', { status: 599 }, true],
      ['500 as statusCode', { statusCode: 500 }, true],
      ['500 of an answer', { response: { statusCode: 500 } }, true],
      ['500 inside', inside({ status: 500 }), true],
      ['504 inside', inside({ status: 504 }), true],
      ['500 inside a timeout', Object.assign(inside({ status: 500 }), coded('ETIMEDOUT')), true],
      ['gRPC', coded('UNAVAILABLE'), true],
      ['499', { status: 499 }, false],
      ['600', { status: 600 }, false],
      ['404', { status: 404 }, false],
      ['another error', new Error('500 apples'), false],
      ['nothing', null, false],
    ],
  ],
  [
    'isTimeout',
    isTimeout,
    [
      ['timeout', new Error('Connection timeout'), true],
      ['timed out', new Error('Request timed out'), true],
      ['deadline exceeded', new Error('Deadline exceeded'), true],
      ['ETIMEDOUT', coded('ETIMEDOUT'), true],
      ['ESOCKETTIMEDOUT', coded('ESOCKETTIMEDOUT'), true],
      ['ECONNRESET', coded('ECONNRESET'), true],
      ['ETIMEDOUT inside', inside(coded('ETIMEDOUT')), true],
      ['a TimeoutError', new DOMException('', 'TimeoutError'), true],
      ['408', { status: 408 }, true],
      ['504', { status: 504 }, true],
      ['503 with the words', { status: 503, message: 'upstream timeout' }, true],
      ['a text', 'Timeout', true],
      ['400 about a timeout', { status: 400, message: 'timeout must be a number' }, false],
      ['ECONNREFUSED', coded('ECONNREFUSED'), false],
      ['another error', new Error('boom'), false],
      ['nothing', undefined, false],
    ],
  ],
  [
    'isLspNotReady',
    isLspNotReady,
    [
      ['language server not ready', new Error('Language server not ready'), true],
      ['lsp not initialized', new Error('LSP not initialized'), true],
      ['server is starting', new Error('The server is starting'), true],
      ['LSP_NOT_READY', coded('LSP_NOT_READY'), true],
      ['LSP_NOT_INITIALIZED', coded('LSP_NOT_INITIALIZED'), true],
      ['a code inside', inside(coded('LSP_NOT_READY')), true],
      ['a server that is ready', new Error('Language server crashed'), false],
      ['ECONNREFUSED', coded('ECONNREFUSED'), false],
      ['nothing', undefined, false],
    ],
  ],
  [
    'isConnectionRefused',
    isConnectionRefused,
    [
      ['ECONNREFUSED', coded('ECONNREFUSED'), true],
      ['ENOTFOUND', coded('ENOTFOUND'), true],
      ['EHOSTUNREACH', coded('EHOSTUNREACH'), true],
      ['fetch', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), true],
      ['two addresses', new AggregateError([coded('ECONNREFUSED')]), true],
      ['a text', 'connect ECONNREFUSED 127.0.0.1:80', true],
      ['ECONNRESET', coded('ECONNRESET'), false],
      ['ETIMEDOUT', coded('ETIMEDOUT'), false],
      ['another error', new Error('refused'), false],
      ['nothing', undefined, false],
    ],
  ],
  [
    'isFileBusy',
    isFileBusy,
    [
      ['EBUSY', coded('EBUSY'), true],
      ['EAGAIN', coded('EAGAIN'), true],
      ['ENOTEMPTY', coded('ENOTEMPTY'), true],
      ['EBUSY inside', inside(coded('EBUSY')), true],
      ['a text', 'EBUSY: resource busy or locked, unlink', true],
      ['ENOENT', coded('ENOENT'), false],
      ['EAI_AGAIN', coded('EAI_AGAIN'), false],
      ['another error', new Error('busy'), false],
      ['nothing', undefined, false],
    ],
  ],
];

describe.each(tables)('%s', (_name, detector, rows) => {
  test.each(rows)('of %s', (_what, error, expected) => {
    expect(detector(error)).toBe(expected);
  });
});
