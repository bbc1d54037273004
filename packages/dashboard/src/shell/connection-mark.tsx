import type { JSX } from 'preact';
import { connectionState } from '../live/connection.ts';

const WORDS = { connecting: 'Connecting', live: 'Live', lost: 'Disconnected' } as const;

/** Whether what is shown is what is. */
export function ConnectionMark(): JSX.Element {
  const state = connectionState.value;
  return (
    <p class="connection" role="status">
      <span class={`connection-dot connection-${state.kind}`} />
      <span>{WORDS[state.kind]}</span>
      {state.kind === 'live' && <span class="connection-version">v{state.version}</span>}
    </p>
  );
}
