import { describe, expect, test } from 'vitest';
import { layersOf } from './error-layers.ts';
import { hasRateLimitHeader, retryAfterIn } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const IN_90_S = 'Sun, 01 Mar 2026 12:01:30 GMT';

const wait = (error: unknown, wallTime: number | undefined = NOW): number | undefined =>
  retryAfterIn(layersOf(error), true, wallTime);

describe('retryAfterIn', () => {
  test.each<[string, number | undefined]>([
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['30s', 30_000],
    ['-5', 0],
    [IN_90_S, 90_000],
    ['Sunday, 01-Mar-26 12:01:30 GMT', 90_000],
    ['Sun Mar  1 12:01:30 2026', 90_000],
    ['2026-03-01T12:01:30Z', 90_000],
    ['2026-03-01T13:01:30+01:00', 90_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['5 apples', undefined],
    ['Mon, 99 Foo 2026 12:01:30 GMT', undefined],
    ['Infinity', undefined],
    ['1e9', undefined],
  ])('reads Retry-After: %s as %s ms', (value, expected) => {
    expect(wait({ headers: { 'retry-after': value } })).toBe(expected);
  });

  test.each<[string, unknown]>([
    ['a plain object', { headers: { 'retry-after': '7' } }],
    ['any case of letters', { headers: { 'Retry-After': '7' } }],
    ['capitals', { headers: { 'RETRY-AFTER': 7 } }],
    ['Headers', { headers: new Headers({ 'Retry-After': '7' }) }],
    ['a Map', { headers: new Map([['Retry-After', '7']]) }],
    ['a header that came twice', { headers: { 'retry-after': ['7', '9'] } }],
    ['an answer', { response: { headers: new Headers({ 'retry-after': '7' }) } }],
    ['the AI SDK', { responseHeaders: { 'retry-after': '7' } }],
    ['milliseconds', { headers: { 'retry-after-ms': '7000', 'retry-after': '99' } }],
    ['our own errors', { retryAfterMs: 7000 }],
    ['snake case', { retry_after_ms: 7000 }],
    ['a body', { error: { retry_after: 7 } }],
    ['a body as text', { retry_after: '7' }],
    ['camel case', { retryAfter: 7 }],
    ['with its unit', { details: 0, retry_after_seconds: 7 }],
    ['data of an MCP error', { code: -32_000, data: { retryAfterMs: 7000 } }],
    ['a cause', new Error('x', { cause: { headers: { 'retry-after': '7' } } })],
    ['a reset in seconds', { headers: { 'ratelimit-reset': '7' } }],
    ['a reset as a time', { headers: { 'x-ratelimit-reset': String(NOW / 1000 + 7) } }],
    ['a reset as a time in ms', { headers: { 'x-ratelimit-reset': String(NOW + 7000) } }],
    ['a reset as a date', { headers: { 'x-ratelimit-reset': '2026-03-01T12:00:07Z' } }],
  ])('finds 7 seconds in %s', (_, error) => {
    expect(wait(error)).toBe(7000);
  });

  test('counts a date from the date of the answer, whose clock it is', () => {
    const headers = { date: 'Sun, 01 Mar 2026 12:01:00 GMT', 'retry-after': IN_90_S };

    expect(wait({ headers })).toBe(30_000);
    expect(retryAfterIn(layersOf({ headers }), true, undefined)).toBe(30_000);
  });

  test('knows no date without a time to count from', () => {
    const date = { headers: { 'retry-after': IN_90_S } };
    expect(retryAfterIn(layersOf(date), true, undefined)).toBe(undefined);
  });

  test('believes a reset only of a rate limit, and only when nothing is left', () => {
    const reset = { headers: { 'x-ratelimit-reset': '7' } };
    const left = { headers: { 'x-ratelimit-reset': '7', 'x-ratelimit-remaining': '12' } };
    const none = { headers: { 'x-ratelimit-reset': '7', 'x-ratelimit-remaining': '0' } };

    expect(retryAfterIn(layersOf(reset), false, NOW)).toBe(undefined);
    expect(wait(left)).toBe(undefined);
    expect(wait(none)).toBe(7000);
  });

  test.each([
    [undefined],
    ['retry-after: 7'],
    [{ retryAfterMs: Number.NaN }],
    [{ retryAfterMs: 'soon' }],
    [{ headers: null }],
    [{ headers: { get: () => expect.fail('asked') } }],
    [{ headers: [['retry-after', '7']] }],
  ])('finds nothing in %j', (error) => {
    expect(wait(error)).toBe(undefined);
  });

  test('takes a wait without an end from a circuit that was opened by hand', () => {
    expect(wait({ retryAfterMs: Infinity })).toBe(Infinity);
  });
});

describe('hasRateLimitHeader', () => {
  test.each<[object, boolean]>([
    [{ 'x-ratelimit-remaining': '0' }, true],
    [{ 'ratelimit-remaining': 0 }, true],
    [{ 'retry-after': '1' }, true],
    [{ 'retry-after-ms': '1' }, true],
    [{ 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': '60' }, false],
    [{}, false],
  ])('of %j is %s', (headers, expected) => {
    expect(hasRateLimitHeader({ headers })).toBe(expected);
  });
});
