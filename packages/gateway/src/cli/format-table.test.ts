import { describe, expect, test } from 'vitest';
import { formatTable } from './format-table.ts';

const plain = (text: string): string => text;
const red = (text: string): string => `<${text}>`;
const COLUMNS = [
  { title: 'NAME', least: 6 },
  { title: 'CALLS', align: 'right' },
  { title: 'WHY', least: 5 },
] as const;
const ROWS = [
  [{ text: 'pay' }, { text: '1,204' }, { text: 'too many failures' }],
  [{ text: 'github:search' }, { text: '7', style: red }, { text: '' }],
];

describe('a table', () => {
  test('has columns under their titles, and no spaces at the end of lines', () => {
    expect(formatTable(COLUMNS, ROWS, { width: 80, title: red })).toEqual([
      '<NAME>           <CALLS>  <WHY>',
      'pay            1,204  too many failures',
      'github:search      <7>',
    ]);
  });

  test('cuts what may be cut where the terminal is narrow, the longest first', () => {
    expect(formatTable(COLUMNS, ROWS, { width: 30, title: plain })).toEqual([
      'NAME         CALLS  WHY',
      'pay          1,204  too many …',
      'github:sea…      <7>',
    ]);
  });

  test.each([1, 5, 10, 15, 20, 25])('is never wider than %i columns', (width) => {
    for (const line of formatTable(COLUMNS, ROWS, { width, title: plain })) {
      expect(line.replace(/[<>]/g, '').length).toBeLessThanOrEqual(width);
    }
  });

  test('knows how wide characters are', () => {
    const rows = [[{ text: '検索' }, { text: '1' }, { text: 'x' }], ...ROWS];
    const [, first, second] = formatTable(COLUMNS, rows, { width: 80, title: plain });
    expect(first).toBe('検索               1  x');
    expect(second?.indexOf('1,204')).toBe(15);
  });
});
