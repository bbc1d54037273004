/** A row is `{ cells, pass? }`; `pass` is left out where there is no budget. */
export function formatTable({ title, columns, rows }) {
  const hasBudget = rows.some(({ pass }) => pass !== undefined);
  const lines = rows.map(({ cells, pass }) =>
    hasBudget ? [...cells, pass === undefined ? '' : pass ? 'met' : '**MISSED**'] : cells,
  );
  const head = hasBudget ? [...columns, 'budget'] : columns;
  const toLine = (cells) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    `### ${title}`,
    '',
    toLine(head),
    toLine(head.map((_, at) => (at === 0 ? '---' : '--:'))),
    ...lines.map(toLine),
  ].join('\n');
}

/** Three significant digits, without an exponent. */
export function digits(value) {
  if (!Number.isFinite(value)) return String(value);
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(value < 0.01 ? 1 : 3);
}

export const times = (value) => `${digits(value)}x`;
export const mark = (result, text) => (result.isRight ? text : `${text} WRONG`);
