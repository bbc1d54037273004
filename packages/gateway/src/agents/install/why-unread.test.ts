import { expect, test } from 'vitest';
import type { JsonExtra } from './why-unread.ts';
import { whyUnread } from './why-unread.ts';

const why = (text: string, reads: readonly JsonExtra[] = []): string | undefined =>
  whyUnread(text, 'a.json', { title: 'It', reads });

test.each(['', ' \n', '{}', '{"a": [1, {"b": "//, ]"}]}\r\n', '{"a": "/* */ ,}"}'])(
  'JSON, and nothing at all, are read by every agent: %j',
  (text) => {
    expect(why(text)).toBeUndefined();
  },
);

test.each<[string, JsonExtra]>([
  ['\uFEFF', 'a byte order mark'],
  ['\uFEFF{}', 'a byte order mark'],
  ['// mine\n{}', 'comments'],
  ['{"a": 1 /* one */}', 'comments'],
  ['{"a": [1,],}', 'commas behind the last of a list'],
])('%j is read only by an agent that takes %s', (text, extra) => {
  expect(why(text)).toBe(`It reads no file with ${extra}, and so no hook in a.json`);
  expect(why(text, [extra])).toBeUndefined();
});

test('all that is in the way is named', () => {
  const text = '\uFEFF{\n"a": {"b": [1,] }, // mine\n}';
  expect(why(text)).toContain('a byte order mark or comments or commas behind the last of a list');
  expect(why(text, ['comments'])).toContain('with a byte order mark or commas behind');
});
