import { readFileSync } from 'node:fs';
import { classify, FAILURE_TYPES } from '../../packages/core/dist/advise/index.js';
import { readVector } from '../../scripts/conformance/vector.ts';
import { OURS } from '../harness/figures.mjs';
import { wordPatterns } from './word-patterns.mjs';

const about =
  'Whether a call of a tool failed, and how. Precision: of those called a failure, how many are one. Recall: of the failures, how many are called one. Kind: of the failures, how many have the right one of eight kinds. The words are the eight regular expressions, over the whole output and the first that matches counts, of the design that the advisor began with; the host is its error flag and the exit code, and nothing else.';

/** Our own samples, in the shape of the vectors. */
export function readOwnOutcomes() {
  const file = new URL('../data/outcomes.jsonl', import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line, at) => readVector(JSON.parse(line), `outcomes.jsonl:${at + 1}`));
}

/** Each says of a result whether it failed, and of what kind. */
const classifiers = [
  { name: OURS, read: (result) => ours(result) },
  { name: `${OURS}, text alone`, read: ({ tool, output }) => ours({ tool, output }) },
  { name: 'words, text alone', read: ({ output }) => words(output) },
  { name: 'host alone', read: (result) => ({ isFailure: hostSays(result) ?? false }) },
  {
    name: 'host, then words',
    read: (result) => {
      const said = hostSays(result);
      const found = words(result.output);
      if (said === undefined) return found;
      return said ? { isFailure: true, parent: found.parent ?? 'execution' } : { isFailure: false };
    },
  },
];

function ours(result) {
  const { status, parent } = classify(result);
  return { isFailure: status === 'failure', parent };
}

function words(output = '') {
  const found = wordPatterns.find(({ pattern }) => pattern.test(output));
  return { isFailure: found !== undefined, parent: found?.parent };
}

/** Undefined where the host says nothing. */
function hostSays({ isError, exitCode }) {
  if (isError === undefined && exitCode === undefined) return undefined;
  return isError === true || (exitCode !== undefined && exitCode !== 0);
}

export function measureOutcomes(id, title, vectors) {
  const results = classifiers.map(({ name, read }) => ({ name, ...count(read, vectors) }));
  const rows = results.map((one) => ({
    cells: [
      one.name,
      percent(one.hits, one.hits + one.falseAlarms),
      percent(one.hits, one.failures),
      percent(one.kinds, one.failures),
      one.falseAlarms,
    ],
  }));
  const [{ failures }] = results;
  const columns = ['classifier', 'precision', 'recall', 'kind', 'false alarms'];
  const table = { title: `${vectors.length} results, ${failures} of them failures`, columns, rows };
  return { id, title, about, tables: [table], results };
}

function count(read, vectors) {
  const counts = { of: vectors.length, failures: 0, hits: 0, falseAlarms: 0, kinds: 0 };
  for (const { result, label } of vectors) {
    const rule = Object.hasOwn(FAILURE_TYPES, label) ? FAILURE_TYPES[label] : undefined;
    const isFailure = rule !== undefined && !rule.isNeutral;
    const said = read(result);
    counts.failures += Number(isFailure);
    counts.hits += Number(isFailure && said.isFailure);
    counts.falseAlarms += Number(!isFailure && said.isFailure);
    counts.kinds += Number(isFailure && said.isFailure && said.parent === rule.parent);
  }
  return counts;
}

const percent = (part, whole) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);
