import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatSeconds } from '../format/duration.ts';
import { now } from '../shell/now.ts';

/** Seconds until a time on this machine's clock. Only the text changes; nothing around it is drawn again. */
export function Countdown({
  until,
  after,
}: {
  readonly until: number;
  readonly after: string;
}): JSX.Element {
  const text = useComputed(() => {
    // The last tick may be half a second ago: what has just begun would count from one too many.
    const seconds = Math.ceil((until - Math.max(now.value, Date.now())) / 1000);
    return seconds > 0 ? formatSeconds(seconds) : after;
  });
  return (
    <span class="countdown" role="timer">
      {text}
    </span>
  );
}
