import type { JSX } from 'preact';
import { STATE_NAMES } from './shown-state.ts';
import type { ShownState } from './shown-state.ts';

export interface StatePillProps {
  readonly state: ShownState;
  /** Default: as circuits call it. */
  readonly name?: string;
}

/** In shape as well as in colour, for those who see no difference between red and green. */
export function StatePill({ state, name = STATE_NAMES[state] }: StatePillProps): JSX.Element {
  return (
    <span class={`pill pill-${state}`}>
      <svg class="pill-mark" viewBox="0 0 10 10" aria-hidden="true">
        <path d={MARKS[state]} />
      </svg>
      {name}
    </span>
  );
}

const MARKS: Readonly<Record<ShownState, string>> = {
  closed: 'M5 1a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  open: 'M5 .6 9.4 9H.6Z',
  'half-open': 'M5 1a4 4 0 0 1 0 8ZM5 1a4 4 0 0 0 0 8v-1a3 3 0 0 1 0-6Z',
  isolated: 'M1.2 1.2h7.6v7.6H1.2Z',
};
