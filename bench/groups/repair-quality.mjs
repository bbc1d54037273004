import { readFileSync } from 'node:fs';
import { makeDocument, spellDocument } from '../data/json-documents.mjs';
import { createRandom } from '../data/random.mjs';
import { OURS } from '../harness/figures.mjs';
import { sameValue } from '../harness/same-value.mjs';
import { digits } from '../harness/table.mjs';
import { readers } from '../peers.mjs';

export const about =
  "Broken JSON as models write it, through `parseJson` with `expect: 'call'` and through the libraries that mend JSON. Exact: the value that was meant; for truncated texts we must also say that it is incomplete. Silently wrong: another value, and nothing that says so. Refused: an error, or nothing. Then valid documents, which nobody may change; the key `__proto__`; and depth.";

const OURS_DOCUMENTS = 100_000;
const PEER_DOCUMENTS = 2_000;

export function readSet(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** What one reader makes of one text. A reader may tell through `note` that its value is not to be trusted. */
export async function attempt(read, text) {
  let note = { isMarked: false, isComplete: true };
  try {
    const value = await read(text, (told) => (note = told));
    // Some say null where they find nothing; no case means null.
    return value === undefined || value === null ? { refused: true } : { value, ...note };
  } catch (error) {
    return { refused: true, error };
  }
}

function judge(outcome, { expected, also = [], kind }, isOurs) {
  if (outcome.refused) return 'refused';
  const isMeant = [expected, ...also].some((value) => sameValue(outcome.value, value));
  if (isMeant && !(isOurs && kind === 'truncated' && outcome.isComplete)) return 'exact';
  return outcome.isMarked ? 'marked' : 'silent';
}

export async function runSet(title, cases, results) {
  const rows = [];
  for (const { name, label = name, read } of readers) {
    const counts = { exact: 0, silent: 0, marked: 0, refused: 0 };
    const failures = [];
    const start = performance.now();
    const outcomes = [];
    for (const one of cases) outcomes.push(await attempt(read, one.input));
    const first = performance.now() - start;
    outcomes.forEach((outcome, at) => {
      const verdict = judge(outcome, cases[at], name === OURS);
      counts[verdict]++;
      if (verdict !== 'exact') failures.push({ case: at + 1, kind: cases[at].kind, verdict });
    });
    (results[title] ??= {})[label] = { ...counts, failures, firstPassMs: first };
    const share = (count) => `${((100 * count) / cases.length).toFixed(1)} %`;
    const { exact, silent, marked, refused } = counts;
    rows.push({
      cells: [label, `${exact} / ${cases.length}`, ...[exact, silent, marked, refused].map(share)],
    });
  }
  rows.sort((a, b) => Number.parseFloat(b.cells[2]) - Number.parseFloat(a.cells[2]));
  const columns = ['reader', 'exact', 'exact %', 'silently wrong', 'wrong, but marked', 'refused'];
  return { title, columns, rows };
}

/** Valid documents have to come back as `JSON.parse` reads them. */
export async function runIdentity(results) {
  const rows = [];
  for (const { name, label = name, read, readValue = read } of readers) {
    const random = createRandom(99);
    const count = name === OURS ? OURS_DOCUMENTS : PEER_DOCUMENTS;
    const faults = { changed: 0, refused: 0 };
    for (let made = 0; made < count; made++) {
      const text = spellDocument(makeDocument(random), random);
      const outcome = await attempt(readValue, text);
      if (outcome.refused) faults.refused++;
      else if (!sameValue(outcome.value, JSON.parse(text))) faults.changed++;
    }
    (results.identity ??= {})[label] = { count, ...faults };
    rows.push({
      cells: [label, count.toLocaleString('en-US'), faults.changed, faults.refused],
      ...(name === OURS && {
        budgets: { 'json-unchanged': faults.changed + faults.refused === 0 },
      }),
    });
  }
  return { title: 'Valid documents', columns: ['reader', 'documents', 'changed', 'refused'], rows };
}

const protoProbes = [
  '{"a":1,"__proto__":{"isAdmin":true}}',
  "{'a':1,'__proto__':{'isAdmin':true}}",
  '{"a":1,"__proto__":{"isAdmin":true',
];

function judgePrototype({ refused, value }) {
  if (refused || typeof value !== 'object') return 'refused';
  if (Object.hasOwn(value, '__proto__')) return 'own key';
  return value.isAdmin === true ? 'SETS PROTOTYPE' : 'dropped';
}

const depths = [1_000, 10_000, 100_000];
const deepTexts = [
  (depth) => '['.repeat(depth) + ']'.repeat(depth),
  (depth) => '{"a":'.repeat(depth),
];

function judgeDepth({ refused, error }) {
  if (!refused) return 'read';
  return error instanceof RangeError && /call stack/.test(error.message)
    ? 'STACK OVERFLOW'
    : 'refused';
}

export async function runHazards(results) {
  const rows = [];
  for (const { name, label = name, read, readValue = read } of readers) {
    const cells = [];
    for (const text of protoProbes) cells.push(judgePrototype(await attempt(readValue, text)));
    const protos = cells.splice(0).join(', ');
    for (const write of deepTexts) {
      const verdicts = [];
      for (const depth of depths) {
        const text = write(depth);
        const start = performance.now();
        const verdict = judgeDepth(await attempt(readValue, text));
        verdicts.push(`${verdict} ${digits(performance.now() - start)} ms`);
      }
      cells.push(verdicts.join(', '));
    }
    (results.hazards ??= {})[label] = { protos, cells };
    rows.push({
      cells: [label, protos, ...cells],
      ...(name === OURS && {
        budgets: { 'json-hazards': !/PROTOTYPE|STACK/.test([protos, ...cells].join(' ')) },
      }),
    });
  }
  const columns = [
    'reader',
    '`__proto__` valid, relaxed, truncated',
    'balanced depth 1,000, 10,000, 100,000',
    'unclosed depth 1,000, 10,000, 100,000',
  ];
  return { title: 'Hazards', columns, rows };
}

export async function run({ set, setName }) {
  const results = {};
  const own = readSet(new URL('../data/malformed.jsonl', import.meta.url));
  const tables = [await runSet(`Own set, ${own.length} cases`, own, results)];
  if (set !== undefined) {
    const given = readSet(set);
    tables.push(await runSet(`${setName}, ${given.length} cases`, given, results));
  }
  tables.push(await runIdentity(results), await runHazards(results));
  const notes = [
    '`ai` 7 needs Node 22: on Node 20 the newest 6 is measured.',
    '`ai` and langchain read partial JSON, json5, jsonc-parser and hjson a relaxed notation: they are here because they are used for this, not because they promise it.',
    'Our own set was written by us; the libraries had no say in it.',
  ];
  return { tables, notes, results };
}
