import { signal } from '@preact/signals';
import type { Overview } from '../../api/api-types.ts';
import { Resource } from '../../api/resource.ts';

export type Range = '15' | '60';

/** How many minutes are looked at. */
export const range = signal<Range>('15');

export const overview = new Resource<Overview>(() => `/api/v1/overview?minutes=${range.peek()}`, {
  staleOn: [
    'call-ended',
    'turn-ended',
    'circuit-refused',
    'advice-given',
    'retry-scheduled',
    'call-timed-out',
  ],
  everyMs: () => 1500,
  atLeastEveryMs: 10_000,
});

export function setRange(next: Range): void {
  range.value = next;
  overview.clear();
}
