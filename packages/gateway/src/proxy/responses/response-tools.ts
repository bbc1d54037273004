import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { isObject, listOf, textOf } from '../json/json-fields.ts';

/** A tool of a Responses request that the client runs. */
export interface ResponseTool {
  /** What the model knows it by: `namespace__name` for one in a namespace. */
  readonly flatName: string;
  /** What the client knows it by. */
  readonly name: string;
  readonly namespace?: string;
  /** A custom tool takes free text; the model gives it as `input`. */
  readonly kind: 'function' | 'custom';
  readonly description: string;
  readonly parameters: JsonObject;
  /** The tool as the client wrote it. */
  readonly source: JsonObject;
}

/** The functions and custom tools of a request, those in namespaces too; hosted ones are not among them. */
export function readResponseTools(tools: JsonValue | undefined): ResponseTool[] {
  return listOf(tools).flatMap((tool) => {
    if (!isObject(tool)) return [];
    if (tool['type'] !== 'namespace') return readTool(tool);
    const namespace = textOf(tool['name']);
    const about = textOf(tool['description']);
    return listOf(tool['tools']).flatMap((inner) =>
      isObject(inner) ? readTool(inner, namespace, about) : [],
    );
  });
}

/** What a tool in a namespace is called where there are no namespaces. */
export function flatName(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}__${name}`;
}

/** A tool as checks and parsers know it. */
export function toToolDefinition(tool: ResponseTool): ToolDefinition {
  return { name: tool.flatName, description: tool.description, parameters: tool.parameters };
}

function readTool(tool: JsonObject, namespace = '', about = ''): ResponseTool[] {
  const { type } = tool;
  const name = textOf(tool['name']);
  if (name === '' || (type !== 'function' && type !== 'custom')) return [];
  const { parameters } = tool;
  const description = [about, textOf(tool['description'])].filter((text) => text !== '').join('\n');
  return [
    {
      flatName: flatName(namespace, name),
      name,
      ...(namespace !== '' && { namespace }),
      kind: type,
      description,
      parameters: type === 'custom' ? FREE_TEXT : isObject(parameters) ? parameters : NO_PARAMETERS,
      source: tool,
    },
  ];
}

/** What a custom tool looks like as a function. */
const FREE_TEXT: JsonObject = Object.freeze({
  type: 'object',
  properties: Object.freeze({ input: Object.freeze({ type: 'string' }) }),
  required: Object.freeze(['input']),
  additionalProperties: false,
});
const NO_PARAMETERS: JsonObject = Object.freeze({ type: 'object', properties: Object.freeze({}) });
