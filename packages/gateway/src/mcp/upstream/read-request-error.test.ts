import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { NotSentError } from '../call/not-sent-error.ts';
import { STREAM_ENDED, TOO_LONG } from './http-transport.ts';
import { MessageTooLongError } from './message-too-long-error.ts';
import { isSessionGone, readRequestError } from './read-request-error.ts';
import { ServerGoneError } from './server-gone-error.ts';

const read = (error: unknown, why?: string): unknown => readRequestError(error, 'files', why);

describe('a request that failed', () => {
  test.each([
    ['no connection', new SdkError(SdkErrorCode.NotConnected, 'Not connected')],
    ['no connection, by a transport', new Error('Not connected')],
    ['nobody listening', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
    ['an unknown host', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })],
  ])('was not sent: %s', (_name, error) => {
    expect(read(error)).toBeInstanceOf(NotSentError);
  });

  test.each([
    ['the process ended', new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')],
    ['the connection broke', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['the other side closed', new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } })],
    ['the stream ended', new ProtocolError(STREAM_ENDED, 'the stream ended')],
  ])('may have been done: %s', (_name, error) => {
    expect(read(error)).toBeInstanceOf(ServerGoneError);
  });

  test('was done, and answered at too great a length', () => {
    const told = read(new ProtocolError(TOO_LONG, 'too long', 5000));
    expect(told).toBeInstanceOf(MessageTooLongError);
    expect(String(told)).toContain('files sent a message longer than 5000 bytes');
  });

  test('says why the server is gone, where that is known', () => {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    expect(String(read(error, 'exit code 3'))).toContain(
      'files ended before it answered: exit code 3',
    );
  });

  test.each([
    new ProtocolError(-32_602, 'Invalid params'),
    new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'),
    new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', { status: 503 }),
    new NotSentError('told already'),
    'odd',
    undefined,
  ])('is left as it is otherwise: %s', (error) => {
    expect(read(error)).toBe(error);
  });

  test.each([
    [404, 'Not Found', true],
    [400, 'Bad Request: No valid session ID provided', true],
    [400, 'Bad Request', false],
    [500, 'session store is down', false],
  ])('with status %i and "%s" means a forgotten session: %s', (status, text, isGone) => {
    const code = SdkErrorCode.ClientHttpNotImplemented;
    expect(isSessionGone(new SdkHttpError(code, text, { status }))).toBe(isGone);
    expect(isSessionGone(new Error(text))).toBe(false);
  });
});
