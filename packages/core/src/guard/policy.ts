import type { RetryGate } from './plan-retry.ts';

/** What a call knows of itself on its way through policies. Each policy hands it on, with what it adds. */
export interface PolicyContext {
  /** The tool, for events and messages. */
  readonly name?: string | undefined;
  /** What is asked for: two calls with one key may share an answer. */
  readonly key?: string | undefined;
  /** Aborts when the call is to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Which attempt it is, from 1. Set by `retry`. */
  readonly attempt?: number | undefined;
  /** When the call has to be over, on the clock. Set by `timeout`, looked at by `retry`. */
  readonly deadlineAt?: number | undefined;
  /** What the circuit around it says of retries. Set by `circuit`, asked by `retry`. */
  readonly gate?: RetryGate | undefined;
}

/**
 * Does the work, in its own way: once, several times, later, or not at all. `Instead` is what it may give that the
 * work did not return.
 */
export type Policy<Instead = never> = <T>(
  work: (context: PolicyContext) => T | Promise<T>,
  context?: PolicyContext,
) => Promise<T | Instead>;

/** One policy of many, the outermost first: `compose(timeout(…), circuit(…), retry(…))`. */
export function compose<Instead = never>(...policies: readonly Policy<Instead>[]): Policy<Instead> {
  return policies.reduceRight<Policy<Instead>>(inside, runAlone);
}

/** Innermost of all: the work itself. Async, so that what it throws is a rejection like any other. */
const runAlone: Policy = async (work, context = {}) => work(context);

function inside<Instead>(inner: Policy<Instead>, outer: Policy<Instead>): Policy<Instead> {
  return (work, context) => outer((handedOn) => inner(work, handedOn), context);
}
