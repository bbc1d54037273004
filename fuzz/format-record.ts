import type { FuzzRecord, TargetRecord } from './fuzz-record.ts';

const number = (value: number): string => value.toLocaleString('en');

/** The record of a day as Markdown: `results/<day>.md`. */
export function formatRecord(record: FuzzRecord): string {
  const { executions, cpuSeconds, finds, commits, targets } = record;
  const hours = (cpuSeconds / 3600).toFixed(1);
  const names = Object.keys(targets);
  return [
    '# What was fuzzed',
    `${number(executions)} executions of ${names.length} targets in ${hours} hours of CPU; ${finds.length} finds. Node ${record.node}, ${record.machine}.`,
    table(
      ['target', 'executions', 'a second of CPU', 'branches taken', 'of its own', 'finds'],
      names.map((name) => rowOf(name, targets[name])),
    ),
    '## By commit',
    table(
      ['commit', 'executions', 'finds'],
      Object.entries(commits).map(([commit, times]) => [
        commit,
        number(times),
        String(finds.filter((find) => find.commit === commit).length),
      ]),
    ),
    ...(finds.length === 0
      ? []
      : [
          '## Finds',
          finds.map(({ target, commit, law }) => `- ${target}, at ${commit}: ${law}`).join('\n'),
        ]),
    ...countsOf(targets),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function rowOf(name: string, target: TargetRecord | undefined): string[] {
  if (target === undefined) return [name];
  const { executions, cpuSeconds, edges, ownEdges, ownBranches, finds } = target;
  return [
    name,
    number(executions),
    number(Math.round(executions / Math.max(0.1, cpuSeconds))),
    number(edges),
    ownBranches === 0 ? '' : `${number(ownEdges)} of ${number(ownBranches)}`,
    String(finds),
  ];
}

/** What targets counted besides, as how often jsonrepair changed what was valid. */
function countsOf(targets: Readonly<Record<string, TargetRecord>>): string[] {
  const lines = Object.entries(targets).flatMap(([name, { counts }]) =>
    Object.entries(counts).map(([what, times]) => `- ${name}: ${what}: ${number(times)}`),
  );
  return lines.length === 0 ? [] : ['## Counted besides', lines.join('\n')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
