import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatTable } from '../harness/table.mjs';

const results = fileURLToPath(new URL('../results/', import.meta.url));

export function formatSection({ title, about, tables }) {
  return [`## ${title}`, about, ...tables.map(formatTable)].join('\n\n');
}

/**
 * Writes sections to bench/results/, under the name of the run and its day. Sections that were not measured this time
 * keep what an earlier run of the same day measured.
 */
export function keep(name, run, fresh) {
  const file = `${results}${name}-${run.date}.json`;
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sections : [];
  const isKept = ({ id }) => !fresh.some((section) => section.id === id);
  const raw = { ...run, sections: [...fresh, ...earlier.filter(isKept)] };
  writeFileSync(file, `${JSON.stringify(raw, undefined, 1)}\n`);
  writeFileSync(file.replace(/json$/, 'md'), formatPage(raw));
  return `bench/results/${name}-${run.date}.md`;
}

function formatPage({ date, commit, node, peers = {}, sections }) {
  const versions = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  return [
    `# Accuracy, ${date}`,
    `Commit ${commit}, Node ${node}. Written by \`npm run accuracy\`; what the columns mean is in [bench/README.md](../README.md#accuracy).`,
    ...(versions.length === 0 ? [] : [`Peers: ${versions.join(', ')}.`]),
    ...sections.map(formatSection),
    '',
  ].join('\n\n');
}
