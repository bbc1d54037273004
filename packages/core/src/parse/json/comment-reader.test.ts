import { describe, expect, test } from 'vitest';
import { COMMENT_GOES_ON, CommentReader, commentAt } from './comment-reader.ts';
import type { CommentKind } from './comment-reader.ts';

describe('a comment', () => {
  test.each([
    ['# a', false, 'line'],
    ['#', false, 'line'],
    ['// a', false, 'line'],
    ['//', false, 'line'],
    ['/* a', false, 'block'],
    ['/a', false, 'none'],
    ['/', false, 'unclear'],
    ['/', true, 'none'],
    ['//', true, 'line'],
  ] as const)('begins with %j, at the end of the text: %s, as %s', (text, ending, kind) => {
    expect(commentAt(text, 0, false, ending)).toBe(kind);
    expect(commentAt(`x${text}`, 1, false, ending)).toBe(kind);
  });

  test.each([
    ['# a', false, 'line'],
    ['#\n', true, 'line'],
    ['#a', false, 'none'],
    ['##', true, 'none'],
    ['#', false, 'unclear'],
    ['#', true, 'none'],
    ['//', false, 'line'],
    ['/*', false, 'block'],
    ['/a', true, 'none'],
  ] as const)(
    'begins before a value with %j, at the end of the text: %s, as %s',
    (text, ending, kind) => {
      expect(commentAt(`x${text}`, 1, true, ending)).toBe(kind);
    },
  );

  test.each([
    ['line', 'a\nb', 2],
    ['line', 'a */ b\n', 7],
    ['block', 'a\n*/b', 4],
  ] as const)('of the kind %s ends in %j before %d', (kind, text, end) => {
    const reader = new CommentReader();
    reader.begin(kind);
    expect(reader.read(text, 0, false)).toBe(end);
  });

  test('of one line is what it is unless somebody says otherwise', () => {
    expect(new CommentReader().read('a*/\n', 0, false)).toBe(4);
  });

  test.each([
    ['line', 'a*', false, 2],
    ['line', '*', true, 1],
    ['block', 'ab', false, 2],
    ['block', 'a*', false, 1],
    ['block', 'a*', true, 2],
  ] as readonly (readonly [CommentKind, string, boolean, number])[])(
    'of the kind %s goes on after %j, the end of the text: %s, with %d characters done with',
    (kind, text, ending, consumed) => {
      const reader = new CommentReader();
      reader.begin(kind);
      expect(reader.read(text, 0, ending)).toBe(COMMENT_GOES_ON);
      expect(reader.consumed).toBe(consumed);
    },
  );
});
