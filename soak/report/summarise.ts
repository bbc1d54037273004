import { growthOf, median } from '../invariants/flat.ts';
import type { Growth, Sample } from '../invariants/flat.ts';
import type { InvariantSummary } from '../invariants/violations.ts';
import { formatTable } from './format-table.ts';
import type { SoakOutcome } from './soak-outcome.ts';

/** What a run came to, for people. */
export function summarise(outcome: SoakOutcome): string {
  const { turns, calls, effects, events } = outcome;
  const number = (value: number): string => value.toLocaleString('en');
  const facts = [
    `seed ${outcome.seed}, ${outcome.seconds} s, ${outcome.rate} clients a second; disk: ${outcome.diskFull}`,
    `${number(outcome.answers)} requests answered, up to ${number(outcome.mostOpen)} at once; ${number(outcome.turnedAway)} turned away while files were short`,
    `turns: ${number(turns.succeeded)} succeeded, ${number(turns.failed)} failed, ${number(turns.refused)} refused; they told ${number(outcome.toldCalls)} calls`,
    `tool calls: ${number(calls.ok)} ok, ${number(calls.failed)} failed, ${number(calls.refused)} refused, ${number(calls.error)} errors; tools ran ${number(effects.ran)} times, ${number(effects.repeated)} of them repeats of what may be repeated`,
    `events: ${events.map((each) => `${number(each.events)} read, ${number(each.lost)} told as lost`).join('; ')}`,
    ...outcome.leftOut,
  ];
  return [
    facts.map((fact) => `- ${fact}`).join('\n'),
    faultTable(outcome),
    growthTable(outcome.samples),
    invariantTable(outcome.invariants),
  ].join('\n\n');
}

function faultTable({ faults }: SoakOutcome): string {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const times = faults.flatMap((each) =>
      each.kind === kind && each.recoveredMs !== undefined ? [each.recoveredMs] : [],
    );
    const all = faults.filter((each) => each.kind === kind);
    const hits = all.reduce((sum, each) => sum + each.hits, 0);
    const longest = Math.max(0, ...times);
    const counts = [all.length, hits].map(String);
    return [kind, ...counts, milliseconds(median(times)), milliseconds(longest)];
  });
  return formatTable(['fault', 'times', 'hits', 'back p50', 'back max'], rows);
}

const milliseconds = (ms: number): string => `${Math.round(ms)} ms`;

const MEGABYTES = new Set<Growth['what']>(['heapBytes', 'externalBytes', 'rssBytes']);

export function growthTable(samples: readonly Sample[]): string {
  const rows = growthOf(samples).map(({ what, first, last, isFlat }) => {
    const show = (value: number): string =>
      MEGABYTES.has(what) ? `${(value / 1024 / 1024).toFixed(1)} MB` : String(value);
    return [what, show(first), show(last), isFlat ? 'flat' : 'GROWS'];
  });
  return formatTable(['held', 'first third', 'last third', 'verdict'], rows);
}

export function invariantTable(invariants: readonly InvariantSummary[]): string {
  const rows = invariants.map(({ name, checks, violations }) => [
    name,
    String(checks),
    String(violations),
  ]);
  return formatTable(['invariant', 'checks', 'violations'], rows);
}
