import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { checkToolCall, writeExactJson } from '@holdfast/core/check';
import type { CheckIssue, CheckRepair } from '@holdfast/core/check';
import { isObject } from '../../proxy/json/json-fields.ts';

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
 * Reads arguments as the object that they have to be, and repairs what the schema of the tool lets repair where they
 * are to be checked. Text that holds an object is decoded. A schema that cannot be followed must not block the tool
 * it belongs to: then the server judges by itself.
 */
export function checkArguments(
  given: JsonValue,
  tool: ToolDefinition,
  isChecked: boolean,
): CheckedArguments {
  if (!isObject(given)) {
    // Blank text would be repaired to an object without anything in it.
    const fix = typeof given !== 'string' || given.trim() !== '';
    const read = check(given, { name: tool.name, parameters: ANY_OBJECT }, fix);
    if (!read.ok || !isChecked) return read;
    const checked = check(read.args, tool);
    return checked.ok ? { ...checked, repairs: [...read.repairs, ...checked.repairs] } : checked;
  }
  return isChecked ? check(given, tool) : { ok: true, args: given, repairs: [], isHopeless: false };
}

function check(args: JsonValue, tool: ToolDefinition, fix = true): CheckedArguments {
  const call = { name: tool.name, arguments: args as JsonObject };
  const plain = checkToolCall(call, [tool], { fix });
  // The digits matter only where something was changed, or did not fit.
  const checked =
    !isObject(args) || (plain.ok && plain.repairs.length === 0)
      ? plain
      : checkToolCall({ ...call, argumentsText: writeExactJson(args) }, [tool], { fix });
  if (checked.ok) {
    return { ok: true, args: checked.call.arguments, repairs: checked.repairs, isHopeless: false };
  }
  const { issues, message } = checked;
  const excess = issues.find(({ code }) => code === 'too-complex');
  if (excess === undefined || !isObject(args)) return { ok: false, message, issues };
  // Arguments that are too deep say nothing about the schema.
  return { ok: true, args, repairs: [], isHopeless: excess.message.startsWith('the schema') };
}

const ANY_OBJECT: JsonObject = Object.freeze({ type: 'object' });
