import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { FuzzRecord, RunRecord, TargetRecord } from './fuzz-record.ts';
import { formatRecord } from './format-record.ts';
import type { FuzzReport } from './loop/fuzz-loop.ts';
import { repository } from './targets/corpus-texts.ts';

const RESULTS = join(repository, 'fuzz', 'results');

/** What the sources were when this process loaded them. */
export function describeSources(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'packages') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' (changed)' : ''}`;
}

/** Adds what was run to the record of the day: a long run is made of many, and several may run at a time. */
export function recordReport(report: FuzzReport, commit: string, seed: number): void {
  mkdirSync(RESULTS, { recursive: true });
  const path = join(RESULTS, new Date().toISOString().slice(0, 10));
  withLock(`${path}.lock`, () => {
    const record = add(readRecord(`${path}.json`), report, commit, seed);
    writeFileSync(`${path}.json`, `${JSON.stringify(record, undefined, 2)}\n`);
    writeFileSync(`${path}.md`, formatRecord(record));
  });
}

/** Who is killed while holding it leaves it behind: then the next one says so and goes on. */
const MOST_TRIES = 2000;

function withLock(file: string, work: () => void): void {
  let lock: number | undefined;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; lock === undefined && tries < MOST_TRIES; tries++) {
    try {
      lock = openSync(file, 'wx');
    } catch {
      Atomics.wait(pause, 0, 0, 5);
    }
  }
  if (lock === undefined) console.log(`${file} was left behind`);
  try {
    work();
  } finally {
    if (lock !== undefined) closeSync(lock);
    rmSync(file, { force: true });
  }
}

function readRecord(file: string): FuzzRecord {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as FuzzRecord;
  const [cpu] = cpus();
  return {
    node: process.version,
    machine: `${cpus().length} x ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    executions: 0,
    cpuSeconds: 0,
    commits: {},
    finds: [],
    runs: [],
    targets: {},
  };
}

/** The record with this report in it. */
export function add(
  record: FuzzRecord,
  report: FuzzReport,
  commit: string,
  seed: number,
): FuzzRecord {
  const { target, executions, findings } = report;
  const finds = findings.map(({ key, input }) => ({ target, commit, seed, law: key, input }));
  return {
    ...record,
    executions: record.executions + executions,
    cpuSeconds: rounded(record.cpuSeconds + report.cpuSeconds),
    commits: { ...record.commits, [commit]: (record.commits[commit] ?? 0) + executions },
    finds: [...record.finds, ...finds],
    runs: withRun(record.runs, { commit, seed, executions, targets: 1 }),
    targets: { ...record.targets, [target]: sumOf(record.targets[target], report) },
  };
}

/** All targets that were run with one seed on one commit are one run. */
function withRun(runs: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const isIt = ({ commit, seed }: RunRecord): boolean => commit === run.commit && seed === run.seed;
  const before = runs.find(isIt);
  if (before === undefined) return [...runs, run];
  const executions = before.executions + run.executions;
  const sum = { ...run, executions, targets: before.targets + 1 };
  return runs.map((one) => (one === before ? sum : one));
}

function sumOf(before: TargetRecord | undefined, report: FuzzReport): TargetRecord {
  return {
    executions: report.executions + (before?.executions ?? 0),
    cpuSeconds: rounded(report.cpuSeconds + (before?.cpuSeconds ?? 0)),
    // The branches are those of the run that took most of them.
    edges: Math.max(report.edges, before?.edges ?? 0),
    ownEdges: Math.max(report.ownEdges, before?.ownEdges ?? 0),
    ownBranches: report.ownBranches,
    inputs: report.corpus.length,
    finds: report.findings.length + (before?.finds ?? 0),
    counts: countsOf(before?.counts ?? {}, report.counts),
  };
}

function countsOf(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
