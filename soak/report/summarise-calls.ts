import type { CallsPart } from '../calls/run-calls.ts';
import type { CallsOutcome } from './calls-outcome.ts';
import { growthTable, invariantTable } from './summarise.ts';

const WHERE: Readonly<Record<CallsPart, string>> = {
  process: 'In one process',
  gateway: 'Through the gateway',
};

/** What a run of many calls came to, for people. */
export function summariseCalls(outcome: CallsOutcome): string {
  const number = (value: number): string => value.toLocaleString('en');
  const { part, seed, calls, turns, seconds, ok, failed, refused } = outcome;
  const rate = number(Math.round(calls / Math.max(1, seconds)));
  return [
    `${WHERE[part]}, seed ${seed}: ${number(calls)} calls of ${number(turns)} turns in ${seconds} s (${rate} a second): ${number(ok)} ok, ${number(failed)} failed, ${number(refused)} refused.`,
    growthTable(outcome.samples),
    invariantTable(outcome.invariants),
  ].join('\n\n');
}
