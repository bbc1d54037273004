import { isMet } from '../budgets.mjs';

/** A row is `{ cells, budgets? }`: `budgets` says of each budget that it speaks of whether it is met. */
export function formatTable({ title, columns, rows }) {
  const hasBudget = rows.some((row) => isMet(row) !== undefined);
  const lines = rows.map((row) => (hasBudget ? [...row.cells, verdict(row)] : row.cells));
  const head = hasBudget ? [...columns, 'budget'] : columns;
  return [`### ${title}`, '', ...markdownTable(head, lines)].join('\n');
}

/** The lines of a table in Markdown; all columns but the first are numbers, unless told otherwise. */
export function markdownTable(columns, lines, isNumber = (at) => at > 0) {
  const toLine = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    toLine(columns),
    toLine(columns.map((_, at) => (isNumber(at) ? '--:' : '---'))),
    ...lines.map(toLine),
  ];
}

function verdict(row) {
  const met = isMet(row);
  if (met !== false) return met === undefined ? '' : 'met';
  const missed = Object.keys(row.budgets).filter((id) => !row.budgets[id]);
  return `**MISSED** ${missed.join(', ')}`;
}

/** Three significant digits, without an exponent. */
export function digits(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(Math.abs(value) < 0.01 ? 1 : 3);
}

export const times = (value) => `${digits(value)}x`;
export const mark = (result, text) => (result.isRight ? text : `${text} WRONG`);

/** How much more than its best the batch took that nine of ten beat, or how much less it did of what is counted by the second. */
export function spread({ best, p90 }) {
  const share = Math.abs(p90 / best - 1) * 100;
  return `${share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}

/** The spread of what `alternate` measured, or of processor time. */
export const spreadOf = ({ min, p90 }) => spread({ best: min, p90 });
export const cpuSpreadOf = ({ cpu, cpuP90 }) => spread({ best: cpu, p90: cpuP90 });
