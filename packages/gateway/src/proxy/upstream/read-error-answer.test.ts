import { describe, expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';
import { readErrorAnswer } from './read-error-answer.ts';

const answer = { upstream: 'local', status: 429, retryAfter: undefined, wallTime: 0 };

describe('an error of an upstream', () => {
  test.each([
    ['{"error": {"message": "slow down"}}', 'slow down'],
    ['{"error": "no such model"}', 'no such model'],
    ['{"message": "bad"}', 'bad'],
    ['{"detail": "not found"}', 'not found'],
    ['<html>\n  Bad gateway', '<html> Bad gateway'],
    ['{"other": 1}', '{"other": 1}'],
  ])('%s is told in its own words', (body, said) => {
    expect(readErrorAnswer({ ...answer, body }).message).toBe(
      `upstream "local" answered 429: ${said}`,
    );
  });

  test.each([
    [400, 'invalid-request'],
    [401, 'authentication'],
    [404, 'not-found'],
    [429, 'rate-limited'],
    [500, 'upstream'],
    [503, 'overloaded'],
    [529, 'overloaded'],
    [302, 'upstream'],
  ])('with status %d is of the kind %s', (status, kind) => {
    expect(readErrorAnswer({ ...answer, status, body: '' })).toMatchObject({ kind, status });
  });

  test('says how long to wait, in seconds or until a date', () => {
    const wait = (retryAfter: string): number | undefined =>
      readErrorAnswer({ ...answer, retryAfter, body: '', wallTime: Date.UTC(2026, 0, 1) })
        .retryAfterMs;
    expect(wait('7')).toBe(7000);
    expect(wait('Thu, 01 Jan 2026 00:00:05 GMT')).toBe(5000);
    expect(wait('soon')).toBeUndefined();
  });

  test('never floods the client', () => {
    expect(readErrorAnswer({ ...answer, body: 'x'.repeat(10_000) }).message.length).toBeLessThan(
      600,
    );
  });
});

describe('an upstream that cannot be asked', () => {
  const coded = (code: string): Error => Object.assign(new Error('raw'), { code });

  test.each([
    ['ECONNREFUSED', 'upstream', 'refused the connection: is it running?'],
    ['ENOTFOUND', 'upstream', 'host name that cannot be found'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'did not accept a connection in time'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'did not begin to answer in time'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'went silent'],
    ['EPIPE', 'upstream', 'failed: raw'],
  ])('for %s is a failure of the kind %s', (code, kind, words) => {
    const failure = describeFailure(coded(code), 'local', 'http://h/v1');
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(words);
  });

  test.each([
    ['EMFILE', 'may open no more files'],
    ['ENFILE', 'may open no more files'],
    ['ENOMEM', 'no memory left'],
    ['ENOBUFS', 'no memory left'],
    ['EADDRNOTAVAIL', 'no free local address or port'],
    ['EAI_AGAIN', 'DNS resolver of this host does not answer'],
    ['UND_ERR_ABORTED', 'closed the connection itself'],
    ['UND_ERR_DESTROYED', 'closed the connection itself'],
  ])('for %s is a failure of the gateway, not of the upstream', (code, words) => {
    const failure = describeFailure(coded(code), 'local', 'http://h/v1');
    expect(failure).toMatchObject({ kind: 'overloaded', isLocal: true });
    expect(failure.message).toContain(`the gateway could not reach upstream "local"`);
    expect(failure.message).toContain(words);
  });

  test('is at fault where one of its addresses was reached', () => {
    const both = new AggregateError([coded('EADDRNOTAVAIL'), coded('ECONNREFUSED')], '');
    expect(
      describeFailure(Object.assign(both, { code: 'EADDRNOTAVAIL' }), 'local', 'u').isLocal,
    ).toBe(undefined);
    const none = new AggregateError([coded('EMFILE'), coded('EMFILE')], '');
    expect(describeFailure(none, 'local', 'u').isLocal).toBe(true);
  });

  test('is understood through what wraps its reason', () => {
    const both = new AggregateError([coded('ECONNREFUSED')], '');
    expect(describeFailure(both, 'local', 'u').message).toContain('refused');
    const caused = new Error('fetch failed', { cause: coded('ENOTFOUND') });
    expect(describeFailure(caused, 'local', 'u').message).toContain('host name');
  });
});
