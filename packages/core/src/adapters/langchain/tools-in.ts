import { isRecord, recordsIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { toolDefinitions } from '../../internal/tool-definitions.ts';
import type { ToolDefinition } from '../../types.ts';

/**
 * The tools that a model is offered with a call, in whatever shape its integration has given them: OpenAI's,
 * Anthropic's, Google's, Bedrock's, or LangChain's own. None where it is told to call none.
 */
export function toolsIn(options: UnknownRecord): readonly ToolDefinition[] {
  const { tools, tool_choice: choice } = options;
  if (choice === 'none' || (isRecord(choice) && choice['type'] === 'none')) return [];
  return toolDefinitions(recordsIn(tools).flatMap(definedIn), 'skip');
}

/** Google declares several functions in one tool, and Bedrock has each one level deeper. */
function definedIn(tool: UnknownRecord): readonly UnknownRecord[] {
  const { functionDeclarations, toolSpec } = tool;
  const declared = recordsIn(functionDeclarations);
  if (declared.length > 0) return declared;
  if (!isRecord(toolSpec)) return [tool];
  const { inputSchema } = toolSpec;
  return [{ ...toolSpec, inputSchema: isRecord(inputSchema) ? inputSchema['json'] : undefined }];
}
