import { computed, signal } from '@preact/signals';
import type { Turn } from '../../api/api-types.ts';
import { getJson } from '../../api/ask.ts';
import { Resource } from '../../api/resource.ts';
import { tell } from '../../shell/toasts.ts';

interface RequestsAnswer {
  readonly requests: readonly Turn[];
}

const PAGE = 50;
/** A list that only grows would make the page slow in the end. */
const MOST = 1000;

/** The newest requests. */
export const newest = new Resource<RequestsAnswer>(() => `/api/v1/requests?limit=${PAGE}`, {
  staleOn: ['turn-ended'],
});

const older = signal<readonly Turn[]>([]);
const hasOlder = signal(true);
export const isLoadingOlder = signal(false);

/** All that was fetched, the newest first. */
export const requests = computed((): readonly Turn[] => {
  const bySeq = new Map<number, Turn>();
  for (const turn of [...(newest.value.value?.requests ?? []), ...older.value]) {
    bySeq.set(turn.seq, turn);
  }
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, MOST);
});

export const mayHaveOlder = computed(
  () => hasOlder.value && requests.value.length >= PAGE && requests.value.length < MOST,
);

/** Fetches the next page. */
export async function loadOlder(): Promise<void> {
  const last = requests.peek().at(-1);
  if (last === undefined || isLoadingOlder.peek()) return;
  isLoadingOlder.value = true;
  try {
    const path = `/api/v1/requests?limit=${PAGE}&before=${last.seq}`;
    const { requests: page } = await getJson<RequestsAnswer>(path);
    // What is between the newest page and the older ones would be lost as new ones come.
    older.value = [...requests.peek(), ...page];
    hasOlder.value = page.length === PAGE;
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true);
  }
  isLoadingOlder.value = false;
}
