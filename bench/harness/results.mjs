import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { budgets, judgeBudgets } from '../budgets.mjs';
import { groupNames } from '../groups.mjs';
import { drawPlots } from '../plots/draw-plots.mjs';
import { digits, formatTable, markdownTable } from './table.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}bench/results/`;
const images = `${root}docs/images/`;

/** When, on what, and what was measured. */
export function describeRun(machine) {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: machine ?? `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    commit: readCommit(),
  };
}

function readCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  try {
    const sources = ['packages/core/src', 'packages/gateway/src'];
    const changed = git('status', '--porcelain', '--', ...sources) === '' ? '' : ' (changed)';
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

/** One line for each budget: what, its limit, and whether every row that speaks of it meets it. */
export function budgetTable(groups) {
  const lines = judgeBudgets(groups).map(({ id, rows, missed, groups: where }) => {
    const verdict = missed === 0 ? 'met' : `**MISSED** in ${missed}`;
    const cells = rows === 0 ? ['', 'not measured'] : [rows, verdict];
    return [budgets[id].what, budgets[id].limit, where.join('; '), ...cells];
  });
  const columns = ['what', 'budget', 'group', 'rows', 'verdict'];
  return markdownTable(columns, lines, (at) => at === 3).join('\n');
}

/** Groups that were not run this time keep what an earlier run of the same day and Node measured. */
export function writeResults(run, results) {
  const name = `${run.date}-node${process.versions.node.split('.')[0]}`;
  const rawFile = `${folder}${name}.json`;
  const earlier = existsSync(rawFile) ? JSON.parse(readFileSync(rawFile, 'utf8')).groups : [];
  const fresh = results.map((result) => ({ ...result, commit: run.commit }));
  const isKept = (one) => !fresh.some((other) => other.name === one.name);
  const groups = [...fresh, ...earlier.filter(isKept)].sort(byPlace);

  // Groups may come from different commits, so each tells its own.
  const shared = { ...run, commit: undefined };
  const raw = { ...shared, peers: allPeers(groups), budgets: judgeBudgets(groups), groups };
  mkdirSync(folder, { recursive: true });
  writeFileSync(rawFile, `${JSON.stringify(raw, shorten, 1)}\n`);
  writeFileSync(`${folder}${name}.md`, formatPage(raw));
  for (const { file, svg } of drawPlots(raw)) writeFileSync(`${images}${file}`, svg);
  return `bench/results/${name}.md`;
}

/** As `groups.mjs` has them; on this Node before another. */
function byPlace(one, other) {
  const place = ({ group }) => groupNames.indexOf(group);
  return place(one) - place(other) || one.name.length - other.name.length;
}

/** Every peer with all versions that were measured. */
function allPeers(groups) {
  const versions = {};
  for (const { peers } of groups)
    for (const [peer, version] of Object.entries(peers))
      if (!(versions[peer] ??= []).includes(version)) versions[peer].push(version);
  return versions;
}

/** No clock here is worth more than five digits. */
function shorten(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

function formatPage(raw) {
  const peers = Object.entries(raw.peers).map(([name, all]) => `${name} ${all.join(' and ')}`);
  const missed = raw.budgets.filter((one) => one.missed > 0).length;
  const met = raw.budgets.filter((one) => one.missed === 0 && one.rows > 0).length;
  return [
    `# ${raw.date}, Node ${raw.node}`,
    `${raw.machine}. ${met} budgets met, ${missed} missed. Written by \`npm run bench -- --write\`; how it is measured is in [bench/README.md](../README.md).`,
    `Peers: ${peers.join(', ')}.`,
    '## Budgets',
    budgetTable(raw.groups),
    ...raw.groups.map(formatGroup),
    '',
  ].join('\n\n');
}
