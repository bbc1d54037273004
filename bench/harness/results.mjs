import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { peerVersions } from './ensure-install.mjs';
import { digits, formatTable } from './table.mjs';

const folder = fileURLToPath(new URL('../results/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** When, on what, and what was measured. */
export function describeRun(machine) {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: machine ?? `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    commit: readCommit(),
    peers: peerVersions(),
  };
}

function readCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const changed =
      git('status', '--porcelain', '--', 'packages/core/src') === '' ? '' : ' (changed)';
    return git('rev-parse', '--short', 'HEAD') + changed;
  } catch {
    return 'unknown';
  }
}

export function formatGroup({ name, about, tables, notes = [], seconds, load, commit }) {
  const made = commit === undefined ? '' : `commit ${commit}, `;
  return [
    `## ${name}`,
    about,
    ...tables.map(formatTable),
    ...notes.map((note) => `- ${note}`),
    `(${made}${digits(seconds)} s, load ${digits(load)} when it began)`,
  ].join('\n\n');
}

/** Groups that were not run this time keep what an earlier run of the same day and Node measured. */
export function writeResults(run, results, order) {
  const name = `${run.date}-node${process.versions.node.split('.')[0]}`;
  const rawFile = `${folder}${name}.json`;
  const earlier = existsSync(rawFile) ? JSON.parse(readFileSync(rawFile, 'utf8')).groups : [];
  const fresh = results.map((result) => ({ ...result, commit: run.commit }));
  const groups = order
    .map((wanted) => [...fresh, ...earlier].find((result) => result.name === wanted))
    .filter((result) => result !== undefined);

  // Groups may come from different commits, so each tells its own.
  const shared = { ...run, commit: undefined };
  mkdirSync(folder, { recursive: true });
  writeFileSync(rawFile, `${JSON.stringify({ ...shared, groups }, shorten, 1)}\n`);
  writeFileSync(`${folder}${name}.md`, formatPage(shared, groups));
  return `bench/results/${name}.md`;
}

/** No clock here is worth more than five digits. */
function shorten(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

function formatPage(run, groups) {
  const rows = groups.flatMap(({ tables }) => tables.flatMap((table) => table.rows));
  const count = (wanted) => rows.filter(({ pass }) => pass === wanted).length;
  const peers = Object.entries(run.peers).map(([name, version]) => `${name} ${version}`);
  return [
    `# ${run.date}, Node ${run.node}`,
    `${run.machine}. ${count(true)} budgets met, ${count(false)} missed. Written by \`npm run bench -- --write\`; how it is measured is in [bench/README.md](../README.md).`,
    `Peers: ${peers.join(', ')}.`,
    ...groups.map(formatGroup),
    '',
  ].join('\n\n');
}
