/** Why the state of a circuit changed, in words. */
const REASONS: Readonly<Record<string, string>> = {
  failure_threshold_exceeded: 'too many failures in a row',
  failure_ratio_exceeded: 'too large a share of calls failed',
  slow_ratio_exceeded: 'too large a share of calls was slow',
  recovery_timeout_expired: 'its time to recover is over',
  probe_succeeded: 'a probe succeeded',
  probe_failed: 'a probe failed',
  probe_slow: 'a probe was slow',
  retry_after: 'the server asked for a pause',
  isolated: 'isolated by hand',
  reset: 'reset by hand',
};

/** A reason the page does not know is told as it came. */
export function reasonInWords(reason: string): string {
  return REASONS[reason] ?? inWords(reason);
}

/** `single-quotes` and `not_found` as `single quotes` and `not found`. */
export function inWords(code: string): string {
  return code.replaceAll(/[-_]/g, ' ');
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
