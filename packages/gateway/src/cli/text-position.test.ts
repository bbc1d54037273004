import { describe, expect, it } from 'vitest';
import { TextPosition } from './text-position.ts';

describe('TextPosition', () => {
  it('counts lines and columns from 1', () => {
    const positions = new TextPosition('ab\n\ncd');
    const places = [0, 2, 3, 4, 6].map((offset) => {
      const { line, column } = positions.at(offset);
      return `${line}:${column}`;
    });

    expect(places).toEqual(['1:1', '1:3', '2:1', '3:1', '3:3']);
  });

  it('knows the start of an empty text', () => {
    expect(new TextPosition('').at(0)).toEqual({ line: 1, column: 1 });
  });
});
