import type { JsonObject } from '@holdfast/core';
import type { AdminOperation } from './admin-operation.ts';
import { count, fields, flag, list, orNull, said, text, time } from './schema-words.ts';

/** What a fleet tells of itself, as `GET /api/v1/replicas` answers it. */
export type FleetView = () => JsonObject | Promise<JsonObject>;

/** The gateways that share their circuits with this one; it alone where none do. */
export function replicasOperation(fleet: FleetView): AdminOperation {
  return {
    method: 'GET',
    path: '/api/v1/replicas',
    id: 'list_replicas',
    summary: 'The gateways that share circuits with this one, and how their store is.',
    gives: fields({
      store: orNull(fields({ kind: text, is_degraded: flag, reason: orNull(text) })),
      replicas: list(
        fields({
          id: text,
          is_self: flag,
          version: orNull(text),
          started_at: orNull(time),
          circuits: orNull(count),
          calls: orNull(count),
          failures: orNull(count),
          not_closed: said(orNull(count), 'How many of its circuits are not closed.'),
        }),
      ),
    }),
    run: () => fleet(),
  };
}
