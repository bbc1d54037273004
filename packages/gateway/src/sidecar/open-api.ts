import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Operation, OtherAnswer } from './operation.ts';

/** Paths and schemas that are described elsewhere. */
export interface MorePaths {
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

/** The OpenAPI document of some operations: what a client in any language can be made from. */
export function openApi(
  operations: readonly Operation[],
  version: string,
  more: MorePaths = { paths: {}, schemas: {} },
): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      description:
        'Reads tool calls out of model text, says what became of tool calls, runs what is around them (circuits, plugins and advice), and tells those who operate it how it is.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: {
      ...Object.fromEntries(
        operations.map((operation) => [`/api/v1/${operation.name}`, { post: describe(operation) }]),
      ),
      ...more.paths,
    },
    components: {
      schemas: {
        ...Object.fromEntries(operations.flatMap(schemasOf)),
        ...more.schemas,
        Error: ERROR,
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
    // A gateway without a token asks for none.
    security: [{}, { token: [] }],
  };
}

function describe(operation: Operation): JsonObject {
  const { summary, example, otherAnswers = [] } = operation;
  const id = idOf(operation);
  const answer = ref(`${id}_answer`);
  return {
    operationId: id,
    summary,
    requestBody: { required: true, content: json(ref(`${id}_request`), example.takes) },
    responses: {
      200: { description: 'What was asked for.', content: json(answer, example.gives) },
      400: error(
        'The body does not fit: the message names field, what was expected and what came.',
      ),
      401: error('The token of the gateway is missing or wrong.'),
      413: error('The body is too long.'),
      ...Object.fromEntries(
        otherAnswers.map((other) => [other.status, describeOther(other, answer)]),
      ),
      default: error('Why it cannot be told.'),
    },
  };
}

function describeOther(other: OtherAnswer, answer: JsonObject): JsonObject {
  const { description, givesAnswer = false, hasRetryAfter = false, example } = other;
  return {
    description,
    ...(hasRetryAfter && { headers: { 'Retry-After': RETRY_AFTER } }),
    content: json(givesAnswer ? { anyOf: [answer, ref('Error')] } : ref('Error'), example),
  };
}

/** The last part of its path: `tool_pre_invoke`. Clients are made with functions of these names. */
function idOf({ name }: Operation): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function schemasOf(operation: Operation): readonly (readonly [string, JsonObject])[] {
  const id = idOf(operation);
  return [
    [`${id}_request`, operation.takes],
    [`${id}_answer`, operation.gives],
  ];
}

function ref(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}

function error(description: string): JsonObject {
  return { description, content: json(ref('Error')) };
}

function json(schema: JsonObject, example?: JsonValue): JsonObject {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

const RETRY_AFTER: JsonObject = {
  description: 'Seconds until it is worth asking again.',
  schema: { type: 'integer', minimum: 1 },
};

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
        param: { type: ['string', 'null'], description: 'The field that is at fault.' },
        code: { type: 'string' },
      },
      required: ['type', 'message'],
    },
    request_id: { type: 'string' },
  },
  required: ['type', 'error'],
};
