import { expect, test } from 'vitest';
import { findRepairs } from './find-repairs.ts';

/** The text with each place in brackets, or a caret where something is missing. */
function shown(text: string, ...repairs: readonly string[]): string {
  let all = '';
  let at = 0;
  for (const { start, end } of findRepairs(text, repairs)) {
    all += `${text.slice(at, start)}${start === end ? '^' : `‹${text.slice(start, end)}›`}`;
    at = end;
  }
  return all + text.slice(at);
}

test.each([
  ['{"a": [1,], }', 'trailing-comma', '{"a": [1‹,›]‹,› }'],
  ['{"a": "x,}"}', 'trailing-comma', '{"a": "x,}"}'],
  ["{'a': 'it\\'s'}", 'single-quotes', "{‹'›a‹'›: ‹'›it\\'s‹'›}"],
  ['{“a”: 1}', 'smart-quotes', '{‹“›a‹”›: 1}'],
  ['{"a": True, "b": "None"}', 'python-literal', '{"a": ‹True›, "b": "None"}'],
  ['{a: 1, b_c: 2}', 'unquoted-key', '{‹a›: 1, ‹b_c›: 2}'],
  [
    '<tool_call>\n{"a": {"b": 1}\n</tool_call>',
    'missing-brace',
    '<tool_call>\n{"a": {"b": 1}^\n</tool_call>',
  ],
  ['<tool_call>{"a": 1}\n', 'missing-end-marker', '<tool_call>{"a": 1}^\n'],
  ['```json\n{}\n```', 'code-fence', '‹```json›\n{}\n‹```›'],
  ['{"a": "{\\"b\\": 1}"}', 'double-encoded', '{"a": ‹"›{\\"b\\": 1}‹"›}'],
  ['{"a": 1 /* one */}', 'comment', '{"a": 1 ‹/* one */›}'],
])('in %j %s is at %j', (text, repair, places) => {
  expect(shown(text, repair)).toBe(places);
});

test('several are in the order of the text', () => {
  expect(shown("{'a': None,", 'missing-brace', 'python-literal')).toBe("{'a': ‹None›,^");
});

test('what looks like anything has no place', () => {
  expect(findRepairs('{"a": "say "hi""}', ['inner-quotes', 'something-new'])).toEqual([]);
});
