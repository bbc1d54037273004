import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { onEvents } from './connection.ts';
import { describeEvent } from './describe-event.ts';
import type { DescribedEvent } from './describe-event.ts';

export interface LoggedEvent extends DescribedEvent {
  readonly seq: number;
  readonly at: string;
  /** How often the same was told in a row. */
  readonly times: number;
}

const MOST = 40;

const log = signal<readonly LoggedEvent[]>([]);

/** What happened last, the newest first; the same again and again is one line. */
export const eventLog: ReadonlySignal<readonly LoggedEvent[]> = log;

onEvents((events) => {
  let next: LoggedEvent[] | undefined;
  for (const event of events) {
    const described = describeEvent(event);
    if (described === undefined) continue;
    next ??= [...log.peek()];
    const [newest] = next;
    const isAgain = newest?.about === described.about && newest.text === described.text;
    const times = isAgain ? newest.times + 1 : 1;
    next.splice(0, isAgain ? 1 : 0, { ...described, seq: event.seq, at: event.at, times });
  }
  if (next !== undefined) log.value = next.slice(0, MOST);
});
