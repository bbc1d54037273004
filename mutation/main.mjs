import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { never, parts } from './parts.mjs';
import { readResult } from './read-result.mjs';
import { cacheOf, strykerOptions } from './stryker-options.mjs';
import { tellResult } from './tell-result.mjs';
import { writeResult } from './write-result.mjs';

const stryker = new URL('node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url);

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    force: { type: 'boolean', default: false },
    last: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
});

/** The files of a part that are asked for. */
function filesOf(part) {
  const excluded = [...part.mutate, ...never].filter((one) => one.startsWith('!'));
  const patterns = part.mutate.filter((one) => !one.startsWith('!'));
  return globSync(patterns)
    .filter((file) => !excluded.some((one) => matchesGlob(file, one.slice(1))))
    .filter((file) => isWanted(file))
    .sort();
}

const isWanted = (file) =>
  values.files.length === 0 || values.files.some((glob) => matchesGlob(file, glob));

/** What was found out about all files of a part that were ever asked for. */
function lastReport(part) {
  return JSON.parse(readFileSync(`${cacheOf(part)}/incremental.json`, 'utf8'));
}

async function mutate(part, files) {
  const cache = cacheOf(part);
  const config = `${cache}/stryker.config.json`;
  mkdirSync(cache, { recursive: true });
  rmSync(`${cache}/report.json`, { force: true });
  writeFileSync(config, JSON.stringify(strykerOptions(part, files)));
  const args = [fileURLToPath(stryker), 'run', config, ...(values.force ? ['--force'] : [])];
  const child = spawn(process.execPath, args, {
    // The laws are asked about few values, always the same: what is killed today is killed tomorrow.
    env: { ...process.env, HOLDFAST_FEW_RUNS: '1', HOLDFAST_FULL: '0' },
    stdio: ['ignore', values.quiet ? 'ignore' : 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`Stryker ended with ${code}; its files are in ${cache}`);
  return JSON.parse(readFileSync(`${cache}/report.json`, 'utf8'));
}

const reports = [];
const asked = parts.map((part) => ({ part, files: filesOf(part) }));
for (const { part, files } of asked) {
  if (files.length === 0) continue;
  reports.push({ files, report: values.last ? lastReport(part) : await mutate(part, files) });
}
if (reports.length === 0) throw new Error('no file that is mutated is named so');
const result = readResult(reports);
console.log(tellResult(result));
if (values.write) console.log(writeResult(result));
process.exitCode = result.unexplained.length + result.stale.length > 0 ? 1 : 0;
