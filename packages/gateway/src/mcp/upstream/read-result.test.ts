import { describe, expect, test } from 'vitest';
import { readLegacyResult, readModernResult } from './read-result.ts';

describe('a result of a tool', () => {
  test('of a legacy server is whole, whatever it says of its kind', () => {
    const plain = { content: [] };
    expect(readLegacyResult(plain)).toBe(plain);
    expect(readLegacyResult({ content: [], resultType: 'input_required' })).toEqual(plain);
  });

  test('of a modern server is whole, or asks for something', () => {
    expect(readModernResult({ resultType: 'complete', content: [] })).toEqual({ content: [] });
    const question = { resultType: 'input_required', inputRequests: { a: { method: 'x' } } };
    expect(readModernResult(question)).toBe(question);
    const state = { resultType: 'input_required', requestState: 's' };
    expect(readModernResult(state)).toBe(state);
  });

  test.each([
    [{ content: [] }, 'missing required resultType'],
    [{ resultType: 5 }, 'missing required resultType'],
    [{ resultType: 'task' }, "Unsupported result type 'task'"],
    [{ resultType: 'input_required', inputRequests: {} }, 'neither inputRequests nor requestState'],
  ])('of a modern server that is %j is refused', (result, why) => {
    expect(() => readModernResult(result)).toThrow(why);
  });
});
