import type { Outcome } from './keep-results.ts';
import { summariseCalls } from './summarise-calls.ts';
import { summarise } from './summarise.ts';

/** What a run came to, of whichever kind, for people. */
export const summariseOutcome = (outcome: Outcome): string =>
  'part' in outcome ? summariseCalls(outcome) : summarise(outcome);
