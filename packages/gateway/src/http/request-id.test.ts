import { expect, test } from 'vitest';
import { KEY_SHAPES } from '../../../../test/support/key-shapes.ts';
import { Redactor } from '../redact/redactor.ts';
import { givenRequestId, newRequestId } from './request-id.ts';

const { text: mask } = new Redactor(['my-own-secret']);

test.each(['a', 'req_1.2-3', 'a'.repeat(64)])('%s is kept', (id) => {
  expect(givenRequestId(id, mask)).toBe(id);
});

test.each([undefined, '', '.', '../x', 'a b', 'a\nb', 'a"b', 'ä', 'a'.repeat(65), ['a', 'b']])(
  '%j is not',
  (id) => {
    expect(givenRequestId(id, mask)).toBeUndefined();
  },
);

test('a key is not, by its shape or because it is known', () => {
  for (const id of ['my-own-secret', ...KEY_SHAPES.map(({ key }) => key)])
    expect(givenRequestId(id, mask)).toBeUndefined();
});

test('an id that is made is safe and new', () => {
  const id = newRequestId();

  expect(givenRequestId(id, mask)).toBe(id);
  expect(newRequestId()).not.toBe(id);
});
