import type { TurnEvent } from './turn-event.ts';
import type { UpstreamEvent } from './upstream-event.ts';

/** Whether what a client is told is just what the upstream said: the same objects, in order. */
export function sameEvents(told: readonly TurnEvent[], said: readonly UpstreamEvent[]): boolean {
  return told.length === said.length && told.every((event, at) => event === said[at]);
}
