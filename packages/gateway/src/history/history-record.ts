import type { JsonObject } from '@holdfast/core';
import type { HistoryKind } from './history-kind.ts';
import type { HistoryPlace } from './history-place.ts';

/** What is to be kept of an event: names, numbers and codes, in the words of the admin API. */
export interface HistoryEntry {
  readonly kind: HistoryKind;
  readonly about: JsonObject;
}

/** What was kept, as it is found again. */
export interface HistoryRecord {
  readonly place: HistoryPlace;
  readonly about: JsonObject;
}
