import { OURS } from '../harness/figures.mjs';
import { digits, markdownTable } from '../harness/table.mjs';
import { sortRows } from './compare-figures.mjs';

const percent = (ratio) => {
  const change = (ratio - 1) * 100;
  return `${change >= 0 ? '+' : '−'}${Math.abs(change).toFixed(1)} %`;
};

/** What became of our figures, as a table and a sentence. */
export function formatComparison({ rows, noise, onlyBefore, onlyAfter }, before, rounds) {
  const ours = sortRows(rows.filter(({ of }) => of === OURS));
  const count = (verdict) => ours.filter((row) => row.verdict === verdict).length;
  const lines = ours.map((row) => [
    `${row.group}: ${row.name}`,
    `${digits(row.before)} ${row.unit}`,
    `${digits(row.after)} ${row.unit}`,
    percent(row.ratio),
    `${percent(row.low)} to ${percent(row.high)}`,
    row.verdict,
  ]);
  const columns = ['figure', before, 'here', 'cost', 'of single rounds', 'verdict'];
  return [
    ...markdownTable(columns, lines),
    '',
    `${count('slower')} slower, ${count('faster')} faster, ${count('same')} the same after ${rounds} rounds; a figure that moved by less than ${percent(1 + noise).slice(1)}, as nine of ten figures of peers did, counts as the same.`,
    ...(onlyBefore.length > 0 ? [`Only there: ${onlyBefore.join(', ')}.`] : []),
    ...(onlyAfter.length > 0 ? [`Only here: ${onlyAfter.join(', ')}.`] : []),
  ].join('\n');
}
