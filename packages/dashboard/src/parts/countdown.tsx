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
    const seconds = Math.ceil((until - now.value) / 1000);
    return seconds > 0 ? formatSeconds(seconds) : after;
  });
  return (
    <span class="countdown" role="timer">
      {text}
    </span>
  );
}
