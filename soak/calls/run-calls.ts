import { checkFlat } from '../invariants/flat.ts';
import { Violations } from '../invariants/violations.ts';
import type { CallsOutcome } from '../report/calls-outcome.ts';
import { runInProcess } from './run-in-process.ts';
import { runThroughGateway } from './run-through-gateway.ts';

export interface CallsOptions {
  readonly calls: number;
  readonly minutes: number;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** So many calls in one process, then as many as fit into the time through the gateway. Nothing may grow. */
export async function runCalls(options: CallsOptions): Promise<CallsOutcome> {
  const { seed, print } = options;
  const violations = new Violations(seed, print);
  const inProcess = await runInProcess({ ...options, violations });
  checkFlat(inProcess.samples, violations);
  const throughGateway = await runThroughGateway({ ...options, violations });
  checkFlat(throughGateway.samples, violations);
  return {
    seed,
    inProcess,
    throughGateway,
    invariants: violations.summary,
    violations: violations.list,
  };
}
