import type { JsonObject, JsonValue } from '@holdfast/core';
import { objectOf } from '../json/json-fields.ts';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { readResponsesUsage } from './responses-usage.ts';

/** Reads who answers; '' for what is not said. */
export function readResponseStart({ id, model, created_at: created }: JsonObject): UpstreamEvent {
  return {
    type: 'start',
    id: typeof id === 'string' ? id : '',
    model: typeof model === 'string' ? model : '',
    ...(typeof created === 'number' && { created: Math.floor(created) }),
  };
}

/** Reads how a response ended that did not fail. */
export function readResponseEnd(response: JsonObject, hasCalls: boolean): UpstreamEvent[] {
  const usage = readResponsesUsage(response['usage']);
  return [
    ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
    { type: 'finish', choice: 0, reason: reasonOf(response, hasCalls) },
    { type: 'done' },
  ];
}

function reasonOf(response: JsonObject, hasCalls: boolean): FinishReason {
  const { status, incomplete_details: details } = response;
  if (status === 'incomplete') return incompleteReason(objectOf(details)['reason']);
  return hasCalls ? 'tool-calls' : 'stop';
}

/** A reason that is not known is no reason to take the answer for whole. */
function incompleteReason(reason: JsonValue | undefined): FinishReason {
  return reason === 'content_filter' ? 'content-filter' : 'length';
}
