import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatTime } from '../format/time.ts';
import { connectionState, retryNow } from '../live/connection.ts';
import { Icon } from '../parts/icon.tsx';
import { now } from './now.ts';

/** Says that what is shown is what was, since when, and that something is done about it. */
export function ConnectionBanner(): JSX.Element {
  const state = connectionState.value;
  return (
    <div aria-live="polite">
      {state.kind === 'lost' && <Lost since={state.since} retryAt={state.retryAt} />}
    </div>
  );
}

function Lost({
  since,
  retryAt,
}: {
  readonly since: number;
  readonly retryAt: number;
}): JSX.Element {
  const wait = useComputed(() => {
    const seconds = Math.ceil((retryAt - now.value) / 1000);
    return seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again now.';
  });
  return (
    <div class="banner">
      <Icon name="lost" />
      <p class="banner-text">
        <b>The gateway does not answer.</b> What you see is as of {formatTime(since, since)}.{' '}
        {/* Said aloud once, not every second. */}
        <span aria-hidden="true">{wait}</span>
      </p>
      <button type="button" class="button button-small" onClick={retryNow}>
        Try now
      </button>
    </div>
  );
}
