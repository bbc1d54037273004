import type { JsonObject } from '@holdfast/core';
import type { Operation } from './operation.ts';

/** The OpenAPI document of some operations: what a client in any language can be made from. */
export function openApi(operations: readonly Operation[], version: string): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description: 'Reads tool calls out of model text and says what became of tool calls.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: Object.fromEntries(
      operations.map((operation) => [`/api/v1/${operation.name}`, { post: describe(operation) }]),
    ),
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    // A gateway without a token asks for none.
    security: [{}, { token: [] }],
  };
}

function describe({ name, summary, takes, gives }: Operation): JsonObject {
  return {
    operationId: name,
    summary,
    requestBody: { required: true, content: json(takes) },
    responses: {
      200: { description: 'What was asked for.', content: json(gives) },
      default: {
        description: 'Why it cannot be told.',
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    },
  };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

const ERROR: JsonObject = {
  type: 'object',
  properties: {
    type: { const: 'error' },
    error: {
      type: 'object',
      properties: {
        type: { type: 'string' },
        message: {
          type: 'string',
          description: 'What happened, what was expected and what arrived.',
        },
      },
      required: ['type', 'message'],
    },
    request_id: { type: 'string' },
  },
  required: ['type', 'error'],
};
