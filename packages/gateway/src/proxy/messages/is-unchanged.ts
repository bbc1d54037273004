import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamFrame } from '../turn/upstream-event.ts';

/** Whether a frame is told by its own events, all of them and in order. */
export function isUnchanged(events: readonly TurnEvent[], frame: UpstreamFrame): boolean {
  const own = frame.events;
  return events.length === own.length && events.every((event, at) => event === own[at]);
}
