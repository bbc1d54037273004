import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { compose } from './policy.ts';
import type { Policy } from './policy.ts';

/** A policy that notes when it is entered and left. */
function noting(name: string, notes: string[]): Policy {
  return async (work, context = {}) => {
    notes.push(`> ${name}`);
    try {
      return await work({ ...context, name: `${context.name ?? ''}${name}` });
    } finally {
      notes.push(`< ${name}`);
    }
  };
}

describe('compose', () => {
  test('puts the first outermost', async () => {
    const notes: string[] = [];
    const policy = compose(noting('a', notes), noting('b', notes), noting('c', notes));
    await policy(() => notes.push('work'));
    expect(notes).toEqual(['> a', '> b', '> c', 'work', '< c', '< b', '< a']);
  });

  test('hands the context inwards', async () => {
    const policy = compose(noting('b', []), noting('c', []));
    const { signal } = new AbortController();
    expect(await policy((context) => context, { name: 'a', key: 'k', signal })).toEqual({
      name: 'abc',
      key: 'k',
      signal,
    });
  });

  test('of nothing does the work', async () => {
    expect(await compose()(() => 1)).toBe(1);
    expect(await compose()(({ name }) => name, { name: 'x' })).toBe('x');
  });

  test('turns what the work throws into a rejection', async () => {
    const error = new Error('mine');
    const thrower = (): never => {
      throw error;
    };
    await expect(compose()(thrower)).rejects.toBe(error);
    await expect(compose(noting('a', []))(thrower)).rejects.toBe(error);
  });

  test('may be composed again, with the same order', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(names, fc.nat(6), async (list, cut) => {
        const flat: string[] = [];
        const nested: string[] = [];
        await compose(...list.map((name) => noting(name, flat)))(() => undefined);
        const policies = list.map((name) => noting(name, nested));
        const halves = [compose(...policies.slice(0, cut)), compose(...policies.slice(cut))];
        await compose(...halves)(() => undefined);
        expect(nested).toEqual(flat);
      }),
    );
  });

  test('knows the type of what may be given instead', () => {
    const instead: Policy<string> = async (work, context = {}) => (await work(context)) ?? 'none';
    const policy = compose(noting('a', []), instead);
    expectTypeOf(policy(() => 1)).resolves.toEqualTypeOf<number | string>();
    expectTypeOf(compose(noting('a', []))(() => 1)).resolves.toEqualTypeOf<number>();
  });
});
