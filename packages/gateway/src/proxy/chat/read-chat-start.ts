import type { JsonObject } from '@holdfast/core';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { countOf, textOf } from '../json/json-fields.ts';

/** Who answers, as the first chunk or a whole answer says; '' for what it does not say. */
export function readChatStart(body: JsonObject): Extract<UpstreamEvent, { type: 'start' }> {
  const created = countOf(body['created']);
  return {
    type: 'start',
    id: textOf(body['id']),
    model: textOf(body['model']),
    ...(created !== undefined && { created }),
  };
}
