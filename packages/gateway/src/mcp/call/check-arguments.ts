import type { JsonObject, ToolDefinition } from '@holdfast/core';
import { checkToolCall, writeExactJson } from '@holdfast/core/check';
import type { CheckIssue, CheckRepair } from '@holdfast/core/check';

/** What became of arguments that were held against a schema. */
export type CheckedArguments =
  | {
      readonly ok: true;
      /** The very same object where nothing had to be set right. */
      readonly args: JsonObject;
      readonly repairs: readonly CheckRepair[];
      /** The schema has no end or asks for too much work: it is not to be used again. */
      readonly isHopeless: boolean;
    }
  | { readonly ok: false; readonly message: string; readonly issues: readonly CheckIssue[] };

/**
 * Checks and mends arguments. A schema that cannot be followed must not block the tool it belongs to: then the
 * server judges by itself.
 */
export function checkArguments(
  args: JsonObject,
  tool: ToolDefinition,
  tools: readonly ToolDefinition[] = [tool],
): CheckedArguments {
  const call = { name: tool.name, arguments: args };
  const plain = checkToolCall(call, tools);
  // The digits matter only where something was changed, or did not fit.
  const checked =
    plain.ok && plain.repairs.length === 0
      ? plain
      : checkToolCall({ ...call, argumentsText: writeExactJson(args) }, tools);
  if (checked.ok) {
    return { ok: true, args: checked.call.arguments, repairs: checked.repairs, isHopeless: false };
  }
  const { issues, message } = checked;
  const excess = issues.find(({ code }) => code === 'too-complex');
  if (excess === undefined) return { ok: false, message, issues };
  // Arguments that are too deep say nothing about the schema.
  return { ok: true, args, repairs: [], isHopeless: excess.message.startsWith('the schema') };
}
