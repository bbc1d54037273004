import { expect, test } from 'vitest';
import { MAX_DEPTH } from '../../proxy/json/json-meter.ts';
import { isTooDeep } from './is-too-deep.ts';

function nested(levels: number, open: string, close: string): unknown {
  return JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
}

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('an answer of %s…%s may have a thousand levels and no more', (open, close) => {
  expect(isTooDeep(nested(MAX_DEPTH, open, close))).toBe(false);
  expect(isTooDeep(nested(MAX_DEPTH + 1, open, close))).toBe(true);
  expect(isTooDeep(nested(100_000, open, close))).toBe(true);
});

test('an answer that is wide is not deep', () => {
  expect(isTooDeep({ content: Array.from({ length: 200_000 }, () => ({ type: 'text' })) })).toBe(
    false,
  );
  expect(isTooDeep('text')).toBe(false);
  expect(isTooDeep(null)).toBe(false);
});
