import { modelsIn } from './models-in-mood.ts';
import type { Fault } from './fault.ts';

/** Answers stop in the middle of a call, or before they begin, and the connection stays open. */
export const upstreamStall: Fault = { kind: 'upstream-stall', ...modelsIn('stall') };
