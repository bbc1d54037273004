import { expect, test } from 'vitest';
import { closingAlternative } from './closing-alternative.ts';

test.each([
  ['“', '”'],
  ['”', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['’', '’'],
  ['»', '»'],
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
])('a string that %s opens may be closed by %s', (opening, closing) => {
  expect(String.fromCharCode(closingAlternative(opening.charCodeAt(0)))).toBe(closing);
});
