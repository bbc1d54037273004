import { describe, expect, test } from 'vitest';
import { partOfValue } from './part-of-value.ts';

const many = { messages: Array.from({ length: 100_000 }, (_, at) => ({ at })), last: ['x'] };

describe('part of a value', () => {
  test('is all of it where there is room', () => {
    const value = { a: [1, 'two', null, { __proto__: null, b: true }] };
    for (const from of ['start', 'end'] as const)
      expect(partOfValue(value, { room: 1000, from, mostText: 10 })).toEqual({
        value,
        isCut: false,
      });
  });

  test('is its start, with texts complete', () => {
    const value = { text: 'abcdef', ...many };
    const part = partOfValue(value, { room: 100, from: 'start', mostText: 3 });
    expect(part.isCut).toBe(true);
    expect(JSON.stringify(part.value).slice(0, 40)).toBe(
      '{"text":"abcdef","messages":[{"at":0},{"',
    );
    expect(JSON.stringify(part.value).length).toBeLessThan(200);
  });

  test('is its end, in order, with the ends of texts', () => {
    const part = partOfValue({ ...many, text: 'abcdef' }, { room: 100, from: 'end', mostText: 3 });
    expect(part.isCut).toBe(true);
    expect(JSON.stringify(part.value)).toMatch(
      /\{"at":99998\},\{"at":99999\}\],"last":\["x"\],"text":"def"\}$/,
    );
    expect(JSON.stringify(part.value).length).toBeLessThan(200);
  });
});
