import { expect, test } from 'vitest';
import { givenRequestId, newRequestId } from './request-id.ts';

test.each(['a', 'req_1.2-3', 'a'.repeat(64)])('%s is kept', (id) => {
  expect(givenRequestId(id)).toBe(id);
});

test.each([undefined, '', '.', '../x', 'a b', 'a\nb', 'a"b', 'ä', 'a'.repeat(65), ['a', 'b']])(
  '%j is not',
  (id) => {
    expect(givenRequestId(id)).toBeUndefined();
  },
);

test('an id that is made is safe and new', () => {
  const id = newRequestId();

  expect(givenRequestId(id)).toBe(id);
  expect(newRequestId()).not.toBe(id);
});
