import { readVectors } from '../../scripts/conformance/read-vectors.ts';
import { peerVersions } from '../harness/peer-versions.mjs';
import { describeRun } from '../harness/results.mjs';
import { measureCalls } from './calls.mjs';
import { readCorpus } from './corpus.mjs';
import { measureHazards, measureIdentity, measureJson } from './json.mjs';
import { formatSection, keep } from './keep.mjs';
import { measureOutcomes, readOwnOutcomes } from './outcomes.mjs';
import { ownJson, vectorsOf } from './sources.mjs';
import { measureValues } from './values.mjs';

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

const args = process.argv.slice(2);
const folder = args.find((arg) => arg !== '--write');
try {
  const sections = [
    ...(await ownSections()),
    ...(folder === undefined ? [] : await givenSections(folder)),
  ];
  for (const section of sections) console.log(`${formatSection(section)}\n`);
  if (args.includes('--write')) {
    const { date, node, commit } = describeRun();
    const run = { date, node, commit, peers: peerVersions() };
    console.log(`kept in ${keep('accuracy', run, sections)}`);
  }
} catch (error) {
  console.error(error.name === 'BadInputError' ? error.message : error.stack);
  process.exitCode = 2;
}
