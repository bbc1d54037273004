import { modelsIn } from './models-in-mood.ts';
import type { Fault } from './fault.ts';

/** Requests are answered with 429 and 5xx. */
export const upstreamErrors: Fault = { kind: 'upstream-errors', ...modelsIn('errors') };
