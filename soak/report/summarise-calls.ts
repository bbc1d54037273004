import type { CallsOutcome } from './calls-outcome.ts';
import { growthTable, invariantTable } from './summarise.ts';

/** What a run of many calls came to, for people. */
export function summariseCalls(outcome: CallsOutcome): string {
  const { ok, failed, refused } = outcome;
  return [
    `${whatWasMade(outcome)}: ${number(ok)} ok, ${number(failed)} failed, ${number(refused)} refused.`,
    growthTable(outcome.samples),
    invariantTable(outcome.invariants),
  ].join('\n\n');
}

/** In one process, turns are read there; through the gateway, it is asked for each of them. */
function whatWasMade({ part, seed, calls, turns, seconds }: CallsOutcome): string {
  const inTime = (all: number): string =>
    `in ${seconds} s (${number(Math.round(all / Math.max(1, seconds)))} a second)`;
  if (part === 'process')
    return `In one process, seed ${seed}: ${number(calls)} calls of ${number(turns)} turns ${inTime(calls)}`;
  const all = turns + calls;
  return `Through the gateway, seed ${seed}: ${number(all)} calls ${inTime(all)}, of which ${number(turns)} were turns of models and ${number(calls)} calls of tools. Tools`;
}

const number = (value: number): string => value.toLocaleString('en');
