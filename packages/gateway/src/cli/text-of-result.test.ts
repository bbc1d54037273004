import { expect, test } from 'vitest';
import { textOfResult } from './text-of-result.ts';

test('texts are shown, and of other content what it is', () => {
  const content = [
    { type: 'text', text: 'a\nb' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'resource_link', uri: 'file:///a' },
  ];

  expect(textOfResult({ content })).toBe('a\nb\n[image image/png]\n[resource_link]\n');
});

test('nothing that a server sends makes a terminal do anything', () => {
  const content = [
    { type: 'text', text: '\u001B[2J' },
    { type: '\u001B]52;c;aGk=\u0007image', mimeType: 'image/png\r\u001B[2K' },
  ];

  expect(textOfResult({ content })).toBe(
    '<U+001B>[2J\n[<U+001B>]52;c;aGk=<U+0007>image image/png<U+000D><U+001B>[2K]\n',
  );
});

test('a result without a list of content has no text', () => {
  expect(textOfResult({})).toBe('');
  expect(textOfResult({ content: ['no block', null] })).toBe('');
});
