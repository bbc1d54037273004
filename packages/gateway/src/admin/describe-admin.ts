import type { JsonObject } from '@holdfast/core';
import type { AdminOperation } from './admin-operation.ts';

/** Paths and schemas for an OpenAPI document. */
export interface DescribedPaths {
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

/** Operations as an OpenAPI document tells of them. */
export function describeAdmin(operations: readonly AdminOperation[]): DescribedPaths {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  const schemas = operations.flatMap(({ id, takes, gives }) => [
    ...(takes === undefined ? [] : [[`${id}_request`, takes] as const]),
    [`${id}_answer`, gives] as const,
  ]);
  return { paths, schemas: Object.fromEntries(schemas) };
}

function describe(operation: AdminOperation): JsonObject {
  const { id, summary, path, query = {}, takes, example, errors = {} } = operation;
  const { isStream, isOpen = false } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const asked = Object.entries(query).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }));
  const parameters = [...named, ...asked];
  const type = isStream === true ? 'text/event-stream' : 'application/json';
  return {
    operationId: id,
    summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(takes !== undefined && {
      requestBody: { required: true, content: json(`${id}_request`, example) },
    }),
    responses: {
      200: {
        description: 'What was asked for.',
        content: { [type]: { schema: ref(`${id}_answer`) } },
      },
      400: error('What was asked does not fit: the message says what was expected and what came.'),
      ...(!isOpen && { 401: error('The token of the gateway is missing or wrong.') }),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [status, error(description)]),
      ),
      default: error('Why it cannot be told.'),
    },
  };
}

function ref(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}

function json(schema: string, example?: JsonObject): JsonObject {
  return {
    'application/json': { schema: ref(schema), ...(example !== undefined && { example }) },
  };
}

function error(description: string): JsonObject {
  return { description, content: json('Error') };
}
