import { parseJson } from '../../core.mjs';
import { percent } from './figures.mjs';
import { isSameJson } from './same-json.mjs';

const about =
  'Arguments that models wrote and that `JSON.parse` refuses. Exact: the value that was meant. Silently wrong: another value that is neither marked as lossy nor as incomplete.';

export function measureRecordedJson(sources) {
  const results = sources.map(({ source, rows }) => ({ source, ...countSource(rows()) }));
  const rows = results.map(({ source, texts, exact, wrong }) => ({
    cells: [source, percent(exact, texts), percent(wrong, texts)],
  }));
  const tables = [{ title: 'Broken JSON', columns: ['source', 'exact', 'silently wrong'], rows }];
  return { id: 'recorded-json', title: 'Broken JSON of real models', about, tables, results };
}

function countSource(rows) {
  const counts = { texts: 0, exact: 0, wrong: 0 };
  for (const { raw, expected } of rows) {
    counts.texts++;
    const result = parseJson(raw);
    const value = result?.value ?? result?.values;
    const isMarked = result?.lossy === true || result?.complete === false;
    if (isSameJson(value, expected)) counts.exact++;
    else if (value !== undefined && !isMarked) counts.wrong++;
  }
  return counts;
}
