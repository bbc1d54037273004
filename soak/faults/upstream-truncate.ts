import { modelsIn } from './models-in-mood.ts';
import type { Fault } from './fault.ts';

/** Answers end in the middle of a call as if that were their end. */
export const upstreamTruncate: Fault = { kind: 'upstream-truncate', ...modelsIn('truncate') };
