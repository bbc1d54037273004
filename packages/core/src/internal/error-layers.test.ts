import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE_RULES } from './failure-class.ts';
import { layersOf } from './error-layers.ts';
import { readReturned, readThrown } from './read-failure.ts';

const throwing = (): never => {
  throw new Error('asked');
};

/** Throws whatever is done with it. */
const hostile = new Proxy(
  {},
  { get: throwing, ownKeys: throwing, getPrototypeOf: throwing, has: throwing },
);

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

describe('layersOf', () => {
  test('lists an error, its body, its causes and the errors it gathers, each once', () => {
    const innermost = { name: 'innermost' };
    const cause = { name: 'cause', cause: innermost };
    const gathered = { name: 'gathered', cause };
    const body = { name: 'body' };
    const error = { response: { data: body }, cause, errors: [gathered, cause] };

    expect(layersOf(error)).toEqual([error, cause, body, gathered, innermost]);
  });

  test('ends in a circle', () => {
    const a: { cause?: unknown } = {};
    const b = { cause: a, errors: [a] };
    a.cause = b;

    expect(layersOf(a)).toEqual([a, b]);
  });

  test('looks at no more than sixteen', () => {
    let error: unknown = { status: 500 };
    for (let depth = 0; depth < 100; depth++) error = { cause: error };

    expect(layersOf(error)).toHaveLength(16);
    expect(readThrown(error).class).toBe('tool-error');
  });
});

describe('reading what was thrown', () => {
  test.each<[string, unknown]>([
    ['a proxy that throws', hostile],
    ['a proxy that was revoked', revoked()],
    ['a cause that throws', { cause: hostile }],
    ['errors that cannot be listed', { errors: revoked() }],
    ['a getter that throws', Object.defineProperty(new Error('x'), 'cause', { get: throwing })],
    ['headers that throw', { status: 403, headers: { get: throwing } }],
    ['headers that cannot be listed', { status: 403, headers: hostile }],
    ['a message that is no text', { message: { toString: throwing } }],
    ['an object without a prototype', Object.create(null)],
    ['a name that is no text', { name: Symbol('x'), code: Symbol('y'), status: 7n }],
  ])('survives %s', (_, error) => {
    expect(Object.keys(FAILURE_RULES)).toContain(readThrown(error).class);
    expect(readReturned(error)).toBe(undefined);
    expect(readReturned({ isError: true, content: error, structuredContent: error })).toMatchObject(
      {
        message: expect.any(String) as string,
      },
    );
  });

  test('goes on beside what cannot be read', () => {
    const error = { cause: hostile, errors: [{ status: 503 }], headers: hostile };
    expect(readThrown(error)).toMatchObject({ class: 'server', status: 503 });
  });

  test.each([
    ['plain', 'x'.repeat(1_000_000)],
    ['blank', ' '.repeat(1_000_000)],
    ['of codes', '-32'.repeat(330_000)],
    ['of half a wording', 'exceeded a '.repeat(90_000)],
    ['of brackets', '{"status":'.repeat(100_000)],
  ])('takes no time for a megabyte that is %s', (_, text) => {
    const times = [1, 2, 3, 4, 5].map(() => {
      const start = performance.now();
      readThrown(new Error(text, { cause: text }));
      readReturned({ isError: true, content: [{ type: 'text', text }] });
      return performance.now() - start;
    });
    // The best of five: others may use the machine.
    expect(Math.min(...times)).toBeLessThan(50);
  });

  test('never throws, and finds a class for anything', () => {
    const key = fc.constantFrom(
      ...'cause errors error data response headers status code name message isError content'.split(
        ' ',
      ),
    );
    const anything = fc.anything({
      key: fc.oneof(key, fc.string()),
      withBigInt: true,
      withNullPrototype: true,
    });

    fc.assert(
      fc.property(anything, fc.option(fc.constant(AbortSignal.abort())), (thrown, signal) => {
        const { class: found, message } = readThrown(thrown, signal ?? undefined, 0);
        expect(FAILURE_RULES).toHaveProperty([found]);
        expect(message).toMatch(/^[^\n]+$/);
        readReturned(thrown);
        readReturned({ isError: true, content: thrown, structuredContent: thrown });
      }),
      { numRuns: 500 },
    );
  });
});
