import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../types.ts';
import { ValueBuilder } from './value-builder.ts';

function put(builder: ValueBuilder, key: string, value: JsonValue): void {
  builder.top!.key = key;
  builder.put(value);
}

describe('ValueBuilder', () => {
  test('puts objects and lists together', () => {
    const builder = new ValueBuilder();
    builder.open(false, 0);
    put(builder, 'a', 1);
    builder.top!.key = 'b';
    builder.open(true, 5);
    builder.put('x');
    builder.put(null);
    expect(builder.depth).toBe(2);
    builder.close(9);
    put(builder, '__proto__', 2);
    builder.close(10);
    expect(JSON.stringify(builder.root)).toBe('{"a":1,"b":["x",null],"__proto__":2}');
    expect([builder.depth, builder.top]).toEqual([0, undefined]);
  });

  test('is a value of its own where nothing is open', () => {
    const builder = new ValueBuilder();
    expect(builder.root).toBeUndefined();
    builder.put(7);
    expect([builder.root, builder.lastValue]).toEqual([7, 7]);
  });

  test('knows which brackets are open, those that were not written apart', () => {
    const builder = new ValueBuilder();
    expect([builder.hasOpenBracket, builder.hasOpen(true), builder.hasOpen(false)]).toEqual([
      false,
      false,
      false,
    ]);
    builder.openImplicit('name');
    expect([builder.hasOpenBracket, builder.hasOpen(false), builder.depth]).toEqual([
      false,
      false,
      1,
    ]);
    builder.put('f');
    expect(builder.root).toEqual({ name: 'f' });
    builder.open(true, 0);
    expect([builder.hasOpenBracket, builder.hasOpen(true), builder.hasOpen(false)]).toEqual([
      true,
      true,
      false,
    ]);
    builder.open(false, 0);
    expect(builder.hasOpen(false)).toBe(true);
    builder.closeAll(1);
    expect([builder.hasOpenBracket, builder.depth]).toEqual([false, 0]);
  });

  test('knows what stands around what is read', () => {
    const builder = new ValueBuilder();
    expect([builder.membersAround(0), builder.listIndex]).toEqual([{}, 0]);
    builder.open(true, 0);
    builder.put(0);
    builder.open(false, 0);
    put(builder, 'name', 'f');
    builder.top!.key = 'arguments';
    builder.open(false, 0);
    put(builder, 'a', 1);
    expect(builder.membersAround(0)).toEqual({ a: 1 });
    expect(builder.membersAround(1)).toEqual({ name: 'f', arguments: { a: 1 } });
    expect(builder.membersAround(2)).toEqual({});
    expect(builder.listIndex).toBe(1);
  });

  test('goes on with the object that was closed last, and with nothing else', () => {
    const builder = new ValueBuilder();
    builder.open(false, 0);
    put(builder, 'a', 1);
    builder.close(0);
    expect(builder.reopenLast()).toBe(true);
    expect(builder.top).toMatchObject({ isArray: false, isImplicit: false, key: '', doubled: 0 });
    put(builder, 'b', 2);
    expect(builder.root).toEqual({ a: 1, b: 2 });
    for (const value of ['text', null, [], 7]) {
      builder.put(value);
      expect(builder.reopenLast()).toBe(false);
    }
    expect(new ValueBuilder().reopenLast()).toBe(false);
  });

  test('joins strings, in lists, in objects and alone', () => {
    const builder = new ValueBuilder();
    builder.open(true, 0);
    builder.put('one ');
    builder.joinLast('two');
    builder.open(false, 0);
    put(builder, 'a', 'x');
    builder.joinLast('y');
    builder.closeAll(0);
    expect(builder.root).toEqual(['one two', { a: 'xy' }]);
    const alone = new ValueBuilder();
    alone.put('a');
    alone.joinLast('b');
    expect(alone.root).toBe('ab');
    const fresh = new ValueBuilder();
    fresh.joinLast('b');
    expect(fresh.root).toBe('b');
  });

  test('tells who watches of objects that are members, when they begin and when they end', () => {
    const builder = new ValueBuilder();
    const told: string[] = [];
    builder.watcher = {
      memberObject: (key, offset, _, value) =>
        told.push(`${key} ${offset} ${JSON.stringify(value)}`),
      memberObjectEnd: (offset) => told.push(`end ${offset}`),
    };
    builder.open(true, 0);
    builder.open(false, 1);
    builder.top!.key = 'arguments';
    builder.open(false, 2);
    builder.close(3);
    builder.top!.key = 'list';
    builder.open(true, 4);
    builder.closeAll(5);
    expect(told).toEqual(['arguments 2 {}', 'end 3', 'end 5']);
  });

  test('keeps every key, however many there are', () => {
    const builder = new ValueBuilder();
    builder.open(false, 0);
    const keys = Array.from({ length: 200 }, (_, at) => `k${at % 150}`);
    for (const [at, key] of keys.entries()) put(builder, key, at);
    expect(Object.keys(builder.root as object)).toEqual(keys.slice(0, 150));
    expect(builder.root).toMatchObject({ k0: 150, k49: 199, k50: 50 });
  });
});
