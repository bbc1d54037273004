import type { JsonObject } from '@holdfast/core';
import type { PluginViolation } from '../../plugins/plugin.ts';
import type { OperationAnswer } from '../operation.ts';

/** What plugins have come to. */
export interface InvokeOutcome {
  readonly violation?: PluginViolation;
  readonly metadata: JsonObject;
  /** Only where they changed it. */
  readonly modifiedPayload?: JsonObject;
  readonly retryDelayMs?: number;
}

/** The answer of a hook. What a circuit refuses is told by the status too, for clients that only look there. */
export function answerInvoke(outcome: InvokeOutcome): OperationAnswer {
  const { violation, metadata, modifiedPayload, retryDelayMs } = outcome;
  const body: JsonObject = {
    continue_processing: violation === undefined,
    ...(modifiedPayload !== undefined && { modified_payload: modifiedPayload }),
    ...(violation !== undefined && { violation: violationJson(violation) }),
    metadata,
    ...(retryDelayMs !== undefined && { retry_delay_ms: retryDelayMs }),
  };
  if (violation?.http_status_code !== 503) return { body };
  return { body, status: 503, headers: { 'retry-after': String(retryAfterSeconds(violation)) } };
}

/** Only the fields that are described: a plugin's own stay inside. */
function violationJson(violation: PluginViolation): JsonObject {
  const { reason, description, code, details, http_status_code, http_headers } = violation;
  return {
    reason,
    description,
    code,
    details,
    ...(http_status_code !== undefined && { http_status_code }),
    ...(http_headers !== undefined && { http_headers }),
  };
}

/** Whole seconds, at least one: 0 would mean that asking again at once helps. */
function retryAfterSeconds({ details, http_headers: headers = {} }: PluginViolation): number {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after');
  const told = [details['retry_after_seconds'], Number(header?.[1])];
  const seconds = told.find((value) => typeof value === 'number' && value > 0 && value < Infinity);
  return Math.max(1, Math.ceil(Number(seconds ?? 1)));
}
