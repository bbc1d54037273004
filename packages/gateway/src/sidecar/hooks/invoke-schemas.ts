import type { JsonObject } from '@holdfast/core';
import type { OtherAnswer } from '../operation.ts';

/** Names and ids become keys of what is kept, so they are bounded. */
export const ID: JsonObject = { type: 'string', minLength: 1, maxLength: 256 };

/** Whose call it is, for circuits, conditions of plugins and advice. */
export const CALLER: JsonObject = {
  server_id: {
    ...ID,
    description: 'The server that has the tool: tools of two servers fail apart.',
  },
  tenant_id: { ...ID, description: 'For conditions of plugins.' },
  user: { ...ID, description: 'For conditions of plugins.' },
  conversation_id: { ...ID, description: 'The conversation it belongs to, for loops and advice.' },
};

const VIOLATION: JsonObject = {
  type: 'object',
  description: 'Why the call must not go on.',
  properties: {
    reason: { type: 'string' },
    description: { type: 'string', description: 'What to tell the model.' },
    code: { type: 'string', description: 'Such as CIRCUIT_OPEN.' },
    details: {
      type: 'object',
      description: 'retry_after_seconds among them where waiting helps.',
    },
    http_status_code: { type: 'integer' },
    http_headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['reason', 'description', 'code', 'details'],
};

/** What a hook answers, where plugins may change these fields of the payload; and what else it may say. */
export function invokeAnswer(payload: JsonObject, others: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: {
      continue_processing: { type: 'boolean', description: 'False where there is a violation.' },
      modified_payload: {
        type: 'object',
        description: 'What to go on with. Missing where nothing was changed.',
        properties: { name: ID, ...payload },
        required: ['name', ...Object.keys(payload).filter((key) => key !== 'headers')],
      },
      violation: VIOLATION,
      metadata: {
        type: 'object',
        description: 'What plugins tell of the call; circuit_* from the circuit breaker.',
      },
      ...others,
    },
    required: ['continue_processing', 'metadata'],
  };
}

const REFUSAL: JsonObject = {
  continue_processing: false,
  violation: {
    reason: 'Circuit open',
    description:
      'payment_api keeps failing (5 times in a row), so this call was not made. Do not call payment_api again before 2026-11-16T12:01:00.000Z (in 60 s). Use another tool, or go on without it.',
    code: 'CIRCUIT_OPEN',
    details: { open_until: 1794830460, retry_after_seconds: 60 },
    http_status_code: 503,
    http_headers: { 'Retry-After': '60' },
  },
  metadata: {
    circuit_calls_in_window: 5,
    circuit_failures_in_window: 5,
    circuit_failure_rate: 1,
    circuit_consecutive_failures: 5,
    circuit_open_until: 1794830460,
    circuit_half_open: false,
    circuit_retry_after_seconds: 60,
  },
};

/** The answers that both hooks can give. */
export const INVOKE_ANSWERS: readonly OtherAnswer[] = [
  { status: 409, description: 'Another call has this request_id, or had it a short time ago.' },
  {
    status: 503,
    description:
      'A circuit refuses the call: the body is that of 200, with the violation. An error where the gateway is shutting down.',
    givesAnswer: true,
    hasRetryAfter: true,
    example: REFUSAL,
  },
];
