import { jsonrepair } from 'jsonrepair';
import { parse as parsePartial } from 'partial-json';
import { parseJson } from '../core.mjs';
import { argumentKinds, toJson } from '../data/json-documents.mjs';
import { alternate } from '../harness/alternate.mjs';
import { canRun } from '../harness/can-run.mjs';
import { clockFigure, OURS } from '../harness/figures.mjs';
import { flat } from '../harness/flat.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits, mark, spreadOf, times } from '../harness/table.mjs';

export const about =
  'The same JSON through `parseJson`, jsonrepair (and native `JSON.parse` of what it returns, since it returns a text) and partial-json: valid, with one fault at its end, and cut off; native `JSON.parse` where it can read it. No budget: what is read right, and how often, is in `repair-quality`.';

const readers = [
  { name: OURS, read: (text) => parseJson(text).value },
  { name: 'jsonrepair', read: (text) => JSON.parse(jsonrepair(text)) },
  { name: 'partial-json', read: (text) => parsePartial(text) },
  { name: 'JSON.parse', read: (text) => JSON.parse(text) },
];

/** How a document comes, and what it means then. */
const spellings = {
  valid: (json) => json,
  'trailing comma': (json) => flat(`${json.slice(0, -1)},}`),
  'missing brace': (json) => flat(json.slice(0, -1)),
};

function measure(kind, spelling) {
  const args = argumentKinds[kind](21);
  const text = spellings[spelling](toJson(args));
  const isRight = (value) => sameValue(value, args);
  const contestants = readers.map(({ name, read }) => ({ name, run: () => read(text), isRight }));
  return alternate(contestants.filter(canRun));
}

export function run() {
  const rows = [];
  const figures = [];
  const results = {};
  for (const spelling of Object.keys(spellings)) {
    for (const kind of ['200 B', '1 KB', '100 KB rows']) {
      const name = `${spelling}, ${kind}`;
      const measured = measure(kind, spelling);
      results[name] = measured;
      for (const { name: reader } of readers) {
        const result = measured[reader];
        if (result !== undefined) figures.push(clockFigure(name, reader, result));
        rows.push({ cells: [name, ...cellsOf(reader, result, measured[OURS])] });
      }
    }
  }
  const columns = ['text', 'reader', 'µs', 'spread', 'of ours'];
  return { tables: [{ title: 'JSON, valid and not', columns, rows }], figures, results };
}

function cellsOf(reader, result, ours) {
  if (result === undefined) return [reader, 'refused', '', ''];
  return [mark(result, reader), digits(result.min), spreadOf(result), times(result.min / ours.min)];
}
