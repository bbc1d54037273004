import { isRecord } from '../../advise/conversation/record.ts';
import { checkToolCall } from '../../check/check-tool-call.ts';
import { ToolNames } from '../../internal/tool-names.ts';
import type { JsonObject } from '../../types.ts';
import { argumentsJson } from '../../parse/arguments-text.ts';
import { readArguments } from '../reading/read-arguments.ts';

/** A call as a provider tells it, in every version of the specification. */
export interface ToolCallLike {
  readonly toolName: string;
  /** JSON, or what is left of it. */
  readonly input: string;
}

/** What the SDK knows of a call that it cannot take. */
export interface RepairOptions<Call extends ToolCallLike> {
  readonly toolCall: Call;
  readonly tools: object;
  readonly inputSchema: (tool: { toolName: string }) => unknown;
}

/**
 * For `experimental_repairToolCall` of `generateText` and `streamText`: mends the name and the arguments of a
 * call where that can only mean one thing. Null where it cannot, so that the model is told what is wrong.
 */
export async function repairToolCall<Call extends ToolCallLike>({
  toolCall,
  tools,
  inputSchema,
}: RepairOptions<Call>): Promise<Call | null> {
  const name = new ToolNames(Object.keys(tools)).resolve(toolCall.toolName.trim());
  const read = readArguments(toolCall.input);
  if (name === undefined || read === undefined) return null;
  const schema: unknown = await inputSchema({ toolName: name });
  const tool = { name, ...(isRecord(schema) && { parameters: schema as JsonObject }) };
  const { value, text } = read;
  const call = { name, arguments: value, ...(text !== undefined && { argumentsText: text }) };
  const checked = checkToolCall(call, [tool]);
  if (!checked.ok) return null;
  const isMended = name !== toolCall.toolName || read.repairs.length + checked.repairs.length > 0;
  if (!isMended) return null;
  return { ...toolCall, toolName: name, input: argumentsJson(checked.call) };
}
