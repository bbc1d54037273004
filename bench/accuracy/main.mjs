import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readVectors } from '../../scripts/conformance/read-vectors.ts';
import { peerVersions } from '../harness/peer-versions.mjs';
import { describeRun } from '../harness/results.mjs';
import { formatTable } from '../harness/table.mjs';
import { measureCalls } from './calls.mjs';
import { readCorpus } from './corpus.mjs';
import { measureHazards, measureIdentity, measureJson } from './json.mjs';
import { measureOutcomes, readOwnOutcomes } from './outcomes.mjs';
import { ownJson, vectorsOf } from './sources.mjs';
import { measureValues } from './values.mjs';

const results = fileURLToPath(new URL('../results/', import.meta.url));

/** What is measured on data of our own, which everybody has. */
const ownSections = async () => [
  await measureCalls('corpus', 'Calls: our corpus', readCorpus()),
  await measureJson('json', 'Broken JSON: our own set', ownJson()),
  await measureIdentity(),
  await measureHazards(),
  measureOutcomes('outcomes', 'Results of tools: our own set', readOwnOutcomes()),
];

/** What a folder of vectors adds; kinds that it has none of are left out. */
async function givenSections(path) {
  const { calls, json, values, outcomes } = vectorsOf(readVectors(path));
  const sections = [];
  for (const [source, vectors] of calls)
    sections.push(await measureCalls(`calls-${source}`, `Calls: ${source}`, vectors));
  for (const [source, cases] of json)
    sections.push(await measureJson(`json-${source}`, `JSON: ${source}`, cases));
  for (const [source, vectors] of values)
    sections.push(measureValues(`values-${source}`, `Values by schema: ${source}`, vectors));
  for (const [source, vectors] of outcomes)
    sections.push(measureOutcomes(`outcomes-${source}`, `Results of tools: ${source}`, vectors));
  return sections;
}

/** Sections that were not measured this time keep what an earlier run of the same day did. */
function keep(run, fresh) {
  const file = `${results}accuracy-${run.date}.json`;
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sections : [];
  const isKept = ({ id }) => !fresh.some((section) => section.id === id);
  const sections = [...fresh, ...earlier.filter(isKept)];
  const raw = { ...run, peers: peerVersions(), sections };
  writeFileSync(file, `${JSON.stringify(raw, undefined, 1)}\n`);
  writeFileSync(file.replace(/json$/, 'md'), formatPage(raw));
  return `bench/results/${basename(file).replace(/json$/, 'md')}`;
}

function formatSection({ title, about, tables }) {
  return [`## ${title}`, about, ...tables.map(formatTable)].join('\n\n');
}

function formatPage({ date, commit, node, peers, sections }) {
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return [
    `# Accuracy, ${date}`,
    `Commit ${commit}, Node ${node}. Written by \`npm run accuracy\`; what the columns mean is in [bench/README.md](../README.md#accuracy).`,
    `Peers: ${versions.join(', ')}.`,
    ...sections.map(formatSection),
    '',
  ].join('\n\n');
}

const [folder] = process.argv.slice(2);
try {
  const sections = [
    ...(await ownSections()),
    ...(folder === undefined ? [] : await givenSections(folder)),
  ];
  for (const section of sections) console.log(`${formatSection(section)}\n`);
  const { date, node, commit } = describeRun();
  console.log(`kept in ${keep({ date, node, commit }, sections)}`);
} catch (error) {
  console.error(error.name === 'BadInputError' ? error.message : error.stack);
  process.exitCode = 2;
}
