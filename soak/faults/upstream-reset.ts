import { modelsIn } from './models-in-mood.ts';
import type { Fault } from './fault.ts';

/** Connections are reset in the middle of a call. */
export const upstreamReset: Fault = { kind: 'upstream-reset', ...modelsIn('reset') };
