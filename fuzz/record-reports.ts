import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzReport } from './loop/fuzz-loop.ts';
import { repository } from './targets/corpus-texts.ts';

interface TargetRecord {
  executions: number;
  seconds: number;
  edges: number;
  ownEdges: number;
  ownBranches: number;
  inputs: number;
  findings: number;
  counts: Record<string, number>;
}

interface Record_ {
  node: string;
  commit: string;
  executions: number;
  seconds: number;
  targets: Record<string, TargetRecord>;
}

/** Adds what was run to the record of the day: a long run is made of many. */
export function recordReports(reports: readonly FuzzReport[]): void {
  const day = new Date().toISOString().slice(0, 10);
  const file = join(repository, 'fuzz', 'results', `${day}.json`);
  const record = readRecord(file);
  for (const report of reports) add(record.targets, report);
  const all = Object.values(record.targets);
  record.executions = all.reduce((sum, { executions }) => sum + executions, 0);
  record.seconds = Math.round(all.reduce((sum, { seconds }) => sum + seconds, 0));
  writeFileSync(file, `${JSON.stringify(record, undefined, 2)}\n`);
}

function readRecord(file: string): Record_ {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repository });
  const none = { executions: 0, seconds: 0, targets: {} };
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record_) : none;
  return { ...before, node: process.version, commit: commit.toString().trim() };
}

function add(targets: Record<string, TargetRecord>, report: FuzzReport): void {
  const before = targets[report.target];
  targets[report.target] = {
    executions: report.executions + (before?.executions ?? 0),
    seconds: Math.round(report.seconds + (before?.seconds ?? 0)),
    // The branches are those of the run that took most of them.
    edges: Math.max(report.edges, before?.edges ?? 0),
    ownEdges: Math.max(report.ownEdges, before?.ownEdges ?? 0),
    ownBranches: report.ownBranches,
    inputs: report.corpus.length,
    findings: report.findings.length + (before?.findings ?? 0),
    counts: sumOf(before?.counts ?? {}, report.counts),
  };
}

function sumOf(
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Record<string, number> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}
