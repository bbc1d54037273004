import type { Circuit } from '../api/api-types.ts';

export type ShownState = 'closed' | 'open' | 'half-open' | 'isolated';

export const STATE_NAMES: Readonly<Record<ShownState, string>> = {
  closed: 'Closed',
  open: 'Open',
  'half-open': 'Half-open',
  isolated: 'Isolated',
};

/** The state as a person thinks of it: a circuit that was opened by hand is not one that failed. */
export function shownState({
  state,
  is_isolated,
}: Pick<Circuit, 'state' | 'is_isolated'>): ShownState {
  if (state === 'closed') return 'closed';
  if (is_isolated) return 'isolated';
  return state === 'open' ? 'open' : 'half-open';
}
