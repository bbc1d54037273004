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

/** The answers that both hooks can give. */
export const INVOKE_ANSWERS: readonly OtherAnswer[] = [
  { status: 409, description: 'Another call has this request_id, or had it a short time ago.' },
  {
    status: 503,
    description:
      'A circuit refuses the call: the body is that of 200, with the violation. An error where the gateway is shutting down.',
    givesAnswer: true,
    hasRetryAfter: true,
  },
];
