/** What a result tells of its circuit, under the names of the plugin it comes from. */
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
  /** 0 unless a call would be refused. */
  readonly circuit_retry_after_seconds: number;
}
