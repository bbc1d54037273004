/**
 * What a result tells of its circuit, under the names of the plugin it comes from. The calls and failures of
 * one that is not closed are those that opened it.
 */
export interface CircuitMetadata {
  readonly circuit_calls_in_window: number;
  readonly circuit_failures_in_window: number;
  /** Failures by calls in the window, 0 to 1, to three digits. */
  readonly circuit_failure_rate: number;
  readonly circuit_consecutive_failures: number;
  /** Unix seconds, 0 unless it is open. */
  readonly circuit_open_until: number;
  /** True on the result of a probe, and while probes decide. */
  readonly circuit_half_open: boolean;
  /** 0 unless a call would be refused; to a tenth, rounded up. */
  readonly circuit_retry_after_seconds: number;
}

/** What there is to tell of a tool that has no circuit yet. */
export const CLOSED_METADATA: CircuitMetadata = Object.freeze({
  circuit_calls_in_window: 0,
  circuit_failures_in_window: 0,
  circuit_failure_rate: 0,
  circuit_consecutive_failures: 0,
  circuit_open_until: 0,
  circuit_half_open: false,
  circuit_retry_after_seconds: 0,
});
