import type { JsonObject, JsonValue } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import type { CheckIssue } from '@holdfast/core/check';
import { readReturned } from '@holdfast/core/guard';
import { z } from 'zod';
import { flag, section } from '../../config/schema-parts.ts';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { Plugin, PluginResult } from '../plugin.ts';
import type { BuiltInPlugin } from './built-in-plugin.ts';
import { builtIn } from './built-in-plugin.ts';

const jsonSchema = z.record(z.string(), z.unknown(), { error: 'a JSON Schema' });
const schemas = z.record(z.string(), jsonSchema, { error: 'JSON Schemas by the name of a tool' });

const schema = section({
  arg_schemas: schemas.default({}).describe('What arguments have to fit, by tool.'),
  result_schemas: schemas.default({}).describe('What results have to fit, by tool.'),
  block_on_violation: flag
    .default(true)
    .describe('Whether what does not fit is stopped. It is told in the metadata if not.'),
});

/** Holds arguments and results against schemas of your own. */
export const schemaGuard: BuiltInPlugin = builtIn(schema, createSchemaGuard);

function createSchemaGuard(config: z.output<typeof schema>): Plugin {
  const { block_on_violation: blocks } = config;
  // They came out of YAML, which is JSON.
  const argSchemas = new Map(
    Object.entries(config.arg_schemas as Readonly<Record<string, JsonObject>>),
  );
  const resultSchemas = new Map(
    Object.entries(config.result_schemas as Readonly<Record<string, JsonObject>>),
  );
  return {
    tool_pre_invoke: ({ name, args }, { shown_name: shown }) => {
      const wanted = argSchemas.get(name);
      if (wanted === undefined) return undefined;
      const errors = errorsOf(args, wanted);
      const what = `The arguments of ${shown} do not fit, so it was not called`;
      return judge(errors, blocks, 'SCHEMA_GUARD_ARGS', what);
    },
    tool_post_invoke: ({ name, result }, { shown_name: shown }) => {
      const wanted = resultSchemas.get(name);
      // What failed has said so already.
      if (wanted === undefined || readReturned(result) !== undefined) return undefined;
      const errors = errorsOf(structuredOf(result), wanted);
      const what = `${shown} ran, but its result is not what was agreed and is held back`;
      return judge(errors, blocks, 'SCHEMA_GUARD_RESULT', what);
    },
  };
}

function judge(
  errors: readonly string[],
  blocks: boolean,
  code: string,
  what: string,
): PluginResult<never> | undefined {
  if (errors.length === 0) return undefined;
  if (!blocks) return { metadata: { schema_errors: errors } };
  const description = `${what}:\n${errors.map((error) => `- ${error}`).join('\n')}`;
  const reason = 'Schema validation failed';
  return {
    violation: { reason, description, code, details: { errors }, http_status_code: 422 },
  };
}

/** MCP keeps the data of a result apart from the text for the model. */
function structuredOf(result: JsonValue): JsonValue {
  const structured = isObject(result) ? result['structuredContent'] : undefined;
  return structured ?? result;
}

function errorsOf(value: JsonValue, wanted: JsonObject): string[] {
  const isPlain = isObject(value);
  const parameters = isPlain
    ? wanted
    : { type: 'object', properties: { result: wanted }, required: ['result'] };
  const call = { name: 'it', arguments: isPlain ? value : { result: value } };
  const checked = checkToolCall(call, [{ name: 'it', parameters }], { fix: false });
  return checked.ok ? [] : checked.issues.map(errorOf);
}

function errorOf({ path, message, expected, received }: CheckIssue): string {
  return path.length === 0 ? `expected ${expected}, got ${received}` : message;
}
