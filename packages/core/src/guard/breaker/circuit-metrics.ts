import type { CircuitState, TransitionReason } from '../../internal/circuit-machine.ts';

/** What went through a circuit. `totalCalls` is the sum of the four below it. */
export interface CircuitMetrics {
  readonly totalCalls: number;
  readonly successes: number;
  readonly failures: number;
  /** Calls that were refused. */
  readonly rejections: number;
  /** Calls that say nothing about the tool: cancelled, not allowed, not found, badly called. */
  readonly ignored: number;
  /** Failures by all calls; 0 without any. */
  readonly failureRate: number;
  /** Rejections by all calls; 0 without any. */
  readonly rejectionRate: number;
}

/** A change of state, and what had been counted by then. */
export interface CircuitTransition {
  /** When, in ISO 8601. */
  readonly at: string;
  readonly from: CircuitState;
  readonly to: CircuitState;
  readonly reason: TransitionReason;
  /** What a person said who changed it by hand. */
  readonly note?: string;
  /** The replica whose word it followed, where it was the fleet's. */
  readonly replica?: string;
  readonly metrics: CircuitMetrics;
}

/** Metrics as JSON APIs write them. */
export function metricsToJson(metrics: CircuitMetrics): Record<string, number> {
  return {
    total_calls: metrics.totalCalls,
    successes: metrics.successes,
    failures: metrics.failures,
    rejections: metrics.rejections,
    ignored: metrics.ignored,
    failure_rate: metrics.failureRate,
    rejection_rate: metrics.rejectionRate,
  };
}
