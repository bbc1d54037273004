import { isRecord, recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import type { JsonObject, ToolDefinition } from '../../types.ts';

/**
 * The tools that a model is offered with a call, in whatever shape its integration has given them: OpenAI's,
 * Anthropic's, Google's, Bedrock's, or LangChain's own. None where it is told to call none.
 */
export function toolsIn(options: UnknownRecord): readonly ToolDefinition[] {
  const { tools, tool_choice: choice } = options;
  if (choice === 'none' || (isRecord(choice) && choice['type'] === 'none')) return [];
  return recordsIn(tools).flatMap((tool) => {
    const declared = recordsIn(tool['functionDeclarations']);
    return declared.length > 0 ? declared.flatMap(readTool) : readTool(tool);
  });
}

function readTool(tool: UnknownRecord): readonly ToolDefinition[] {
  const { function: inner, toolSpec } = tool;
  const described = isRecord(inner) ? inner : isRecord(toolSpec) ? toolSpec : tool;
  const name = textIn(described['name']);
  if (name === undefined) return [];
  const description = textIn(described['description']);
  const parameters = SCHEMAS.map((key) => schemaIn(described[key])).find(isRecord);
  return [
    {
      name,
      ...(description !== undefined && { description }),
      ...(parameters !== undefined && { parameters: parameters as JsonObject }),
    },
  ];
}

const SCHEMAS = ['parameters', 'input_schema', 'inputSchema', 'schema'];

/** A JSON Schema; undefined for a schema of another kind, such as Zod's. */
function schemaIn(value: unknown): UnknownRecord | undefined {
  if (!isRecord(value)) return undefined;
  // Bedrock has it one level deeper.
  if (isRecord(value['json'])) return value['json'];
  const isJsonSchema = value['type'] === 'object' || isRecord(value['properties']);
  return isJsonSchema && !('_def' in value) && !('~standard' in value) ? value : undefined;
}
