export { createFaults, FAULT_DEFAULTS } from './create-faults.ts';
export type { DrawnFault, FaultOptions, Faults } from './create-faults.ts';
export { createRandom } from './create-random.ts';
export { FAULT_KINDS } from './fault.ts';
export type { Fault, FaultKind, FaultStep } from './fault.ts';
export { flakyTool } from './flaky-tool.ts';
export { ManualClock } from './manual-clock.ts';
export type { Clock } from '../internal/clock.ts';
export type { Random } from '../internal/random.ts';
