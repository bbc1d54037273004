import type { Circuit } from '../../api/api-types.ts';
import { numberOf, textOf } from '../../live/live-event.ts';
import type { LiveEvent } from '../../live/live-event.ts';

/** The circuits after one of them changed its state. One that is not known comes with the next answer. */
export function applyTransition(known: readonly Circuit[], event: LiveEvent): readonly Circuit[] {
  const name = textOf(event, 'circuit');
  const at = known.findIndex(({ name: each, of }) => each === name && of === event.source);
  const circuit = known[at];
  if (circuit === undefined || isOld(circuit, event)) return known;
  return known.with(at, { ...circuit, ...changesBy(event) });
}

/** The answer may have been newer than the event. */
function isOld({ since }: Circuit, { at }: LiveEvent): boolean {
  return since !== null && Date.parse(since) > Date.parse(at);
}

function changesBy(event: LiveEvent): Partial<Circuit> {
  const reason = textOf(event, 'reason');
  switch (event.type) {
    case 'circuit-opened': {
      const openForMs = numberOf(event, 'open_for_ms');
      return {
        state: 'open',
        is_isolated: reason === 'isolated',
        retry_after_seconds: openForMs === undefined ? null : openForMs / 1000,
        reason,
        note: null,
        since: event.at,
      };
    }
    case 'circuit-half-opened':
      return {
        state: 'half_open',
        is_isolated: false,
        retry_after_seconds: 0,
        reason: 'recovery_timeout_expired',
        note: null,
        since: event.at,
      };
    default:
      return {
        state: 'closed',
        is_isolated: false,
        retry_after_seconds: 0,
        reason,
        note: null,
        since: event.at,
      };
  }
}
