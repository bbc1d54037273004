import { checkFlat } from '../invariants/flat.ts';
import { Violations } from '../invariants/violations.ts';
import type { CallsOutcome } from '../report/calls-outcome.ts';
import { runInProcess } from './run-in-process.ts';
import { runThroughGateway } from './run-through-gateway.ts';

/** Where calls are made: behind the guard in one process, or through a gateway. */
export type CallsPart = 'process' | 'gateway';

export interface CallsOptions {
  readonly part: CallsPart;
  readonly calls: number;
  /** The most that the part through the gateway takes; undefined for as long as it takes. */
  readonly minutes: number | undefined;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** So many calls in one process, or through the gateway. Nothing may grow. */
export async function runCalls(options: CallsOptions): Promise<CallsOutcome> {
  const { part, seed, print } = options;
  const violations = new Violations(seed, print);
  const made =
    part === 'process'
      ? await runInProcess({ ...options, violations })
      : await runThroughGateway({ ...options, violations });
  checkFlat(made.samples, violations);
  const { summary: invariants, list } = violations;
  return { seed, part, ...made, invariants, violations: list };
}
