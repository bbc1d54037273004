import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../types.ts';
import { frozenCopy } from './frozen-copy.ts';

const isFrozenThroughout = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozenThroughout));

describe('a frozen copy', () => {
  test('equals what it copies, and nothing in it can be changed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const copy = frozenCopy(object as JsonObject);
        expect(copy).toEqual({ ...object });
        expect(copy).not.toBe(object);
        expect(isFrozenThroughout(copy)).toBe(true);
      }),
    );
  });

  test('leaves out what is not plain data', () => {
    const object = { run: () => 1, when: new Date(0), list: [() => 1, 2], kept: null };
    expect(frozenCopy(object as never)).toEqual({ list: [null, 2], kept: null });
  });

  test('follows objects that hold themselves, once', () => {
    const object: Record<string, unknown> = { a: 1 };
    object['self'] = [object, object];
    const copy = frozenCopy(object as JsonObject) as { self: unknown[] };
    expect(copy.self).toEqual([copy, copy]);
    expect(copy).not.toBe(object);
  });

  test('ends where nesting is endless', () => {
    let object: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth++) object = { object };
    expect(isFrozenThroughout(frozenCopy(object as JsonObject))).toBe(true);
  });

  test('keeps __proto__ as the key it is', () => {
    const copy = frozenCopy(JSON.parse('{"__proto__": {"polluted": true}}') as JsonObject);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect('polluted' in copy).toBe(false);
  });
});
