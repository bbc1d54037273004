import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

describe('wrapText', () => {
  it('breaks at spaces', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
  });

  it('breaks a long word anywhere', () => {
    expect(wrapText('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
  });

  it('keeps line breaks and whole characters', () => {
    expect(wrapText('🙂🙂🙂\n\nx', 2)).toEqual(['🙂🙂', '🙂', '', 'x']);
  });
});
