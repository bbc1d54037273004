import { describe, expect, it } from 'vitest';
import { compareFigures, sortRows } from '../bench/compare/compare-figures.mjs';
import type { Figure } from '../bench/compare/compare-figures.mjs';
import { formatComparison } from '../bench/compare/format-comparison.mjs';

const ours = (name: string, best: number, unit = 'µs'): Figure => ({
  group: 'parse',
  name,
  of: 'holdfast',
  unit,
  best,
});
const peer = (name: string, best: number): Figure => ({ ...ours(name, best), of: 'peer 1.0' });

/** One round for each pair of what was measured before and after. */
const rounds = (...pairs: readonly (readonly [readonly Figure[], readonly Figure[]])[]) =>
  pairs.map(([before, after]) => ({ before, after }));

describe('two builds side by side', () => {
  it('are compared by the best of all rounds, with the spread of single ones', () => {
    const { rows } = compareFigures(
      rounds([[ours('a', 10)], [ours('a', 9)]], [[ours('a', 8)], [ours('a', 6)]]),
    );
    expect(rows).toEqual([
      expect.objectContaining({ before: 8, after: 6, ratio: 0.75, low: 0.75, high: 0.9 }),
    ]);
  });

  it('cost more where a time grows and where a rate shrinks', () => {
    const { rows } = compareFigures(
      rounds([
        [ours('time', 10), ours('rate', 100, 'calls/s')],
        [ours('time', 12), ours('rate', 80, 'calls/s')],
      ]),
    );
    expect(rows.map(({ ratio, verdict }) => [ratio, verdict])).toEqual([
      [1.2, 'slower'],
      [1.25, 'slower'],
    ]);
  });

  it('take the best of a rate for the highest', () => {
    const { rows } = compareFigures(
      rounds(
        [[ours('rate', 100, 'calls/s')], [ours('rate', 90, 'calls/s')]],
        [[ours('rate', 80, 'calls/s')], [ours('rate', 120, 'calls/s')]],
      ),
    );
    expect(rows[0]).toMatchObject({ before: 100, after: 120 });
  });

  it('are the same where they differ by no more than peers, which nobody changed', () => {
    const moved = rounds([
      [ours('a', 10), peer('b', 10)],
      [ours('a', 10.8), peer('b', 11)],
    ]);
    const { noise, rows } = compareFigures(moved);
    expect(noise).toBeCloseTo(0.1);
    expect(rows.find(({ name }) => name === 'a')?.verdict).toBe('same');
    const quiet = rounds([
      [ours('a', 10), peer('b', 10)],
      [ours('a', 10.8), peer('b', 10)],
    ]);
    expect(compareFigures(quiet).rows.find(({ name }) => name === 'a')?.verdict).toBe('slower');
  });

  it('are the same where two rounds say the opposite', () => {
    const { rows } = compareFigures(
      rounds([[ours('a', 10)], [ours('a', 14)]], [[ours('a', 16)], [ours('a', 15)]]),
    );
    expect(rows[0]).toMatchObject({ ratio: 1.4, verdict: 'same' });
  });

  it('are never told apart by less than two in a hundred', () => {
    const { noise, rows } = compareFigures(rounds([[ours('a', 100)], [ours('a', 98.5)]]));
    expect(noise).toBe(0.02);
    expect(rows[0]?.verdict).toBe('same');
  });

  it('say what only one of them has', () => {
    const { rows, onlyBefore, onlyAfter } = compareFigures(
      rounds([[ours('old', 1)], [ours('new', 1)]]),
    );
    expect({ rows, onlyBefore, onlyAfter }).toEqual({
      rows: [],
      onlyBefore: ['old'],
      onlyAfter: ['new'],
    });
  });

  it('keep figures of one name apart by group and by whose they are', () => {
    const other = { ...ours('a', 5), group: 'guard' };
    const { rows } = compareFigures(
      rounds([
        [ours('a', 10), other, peer('a', 7)],
        [ours('a', 10), other, peer('a', 7)],
      ]),
    );
    expect(rows.map(({ before }) => before)).toEqual([10, 5, 7]);
  });
});

describe('what is printed', () => {
  const before = [ours('same', 10), ours('better', 10), ours('worse', 10), peer('peer', 10)];
  const after = [ours('same', 10.1), ours('better', 5), ours('worse', 15), peer('peer', 10)];
  const compared = compareFigures(rounds([before, after], [before, after]));

  it('has what is slower first, then what is faster', () => {
    const names = sortRows(compared.rows.filter(({ of }) => of === 'holdfast')).map(
      ({ name }) => name,
    );
    expect(names).toEqual(['worse', 'better', 'same']);
  });

  it('tells ratio, spread and verdict of ours, and how far to trust them', () => {
    const lines = formatComparison(compared, 'main (0a1b2c3)', 2).split('\n');
    expect(lines[0]).toBe('| figure | main (0a1b2c3) | here | cost | of single rounds | verdict |');
    expect(lines[2]).toBe(
      '| parse: worse | 10.0 µs | 15.0 µs | +50.0 % | +50.0 % to +50.0 % | slower |',
    );
    expect(lines[3]).toContain('| −50.0 % |');
    expect(lines.join('\n')).not.toContain('parse: peer');
    expect(lines.at(-1)).toMatch(/^1 slower, 1 faster, 1 the same after 2 rounds;.* 2\.0 %/);
  });
});
