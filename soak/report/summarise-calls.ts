import type { CallsOutcome } from './calls-outcome.ts';
import { growthTable, invariantTable } from './summarise.ts';

/** What a run of many calls came to, for people. */
export function summariseCalls({ inProcess, throughGateway, invariants }: CallsOutcome): string {
  const number = (value: number): string => value.toLocaleString('en');
  const rate = (calls: number, seconds: number): string =>
    number(Math.round(calls / Math.max(1, seconds)));
  const { ok, failed, refused } = inProcess;
  return [
    `in one process: ${number(inProcess.calls)} calls of ${number(inProcess.turns)} turns in ${inProcess.seconds} s (${rate(inProcess.calls, inProcess.seconds)} a second): ${number(ok)} ok, ${number(failed)} failed, ${number(refused)} refused`,
    growthTable(inProcess.samples),
    `through the gateway: ${number(throughGateway.calls)} calls of ${number(throughGateway.turns)} turns in ${throughGateway.seconds} s (${rate(throughGateway.calls, throughGateway.seconds)} a second)`,
    growthTable(throughGateway.samples),
    invariantTable(invariants),
  ].join('\n\n');
}
