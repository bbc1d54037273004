import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';

/**
 * Calls of the vendor's own tools that the client ran, such as its shell, and their results, as those of plain
 * functions: so a model that never had these tools can read what happened. Returns the same item for others.
 */
export function asFunctionItem(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'local_shell_call':
      return call(item, 'local_shell', item['action']);
    case 'shell_call':
      return call(item, 'shell', item['action']);
    case 'apply_patch_call':
      return call(item, 'apply_patch', item['operation']);
    case 'local_shell_call_output':
      return result(item, textOf(item['output']));
    case 'shell_call_output':
      return result(item, shellText(item['output']));
    case 'apply_patch_call_output':
      return result(item, patchText(item));
    default:
      return item;
  }
}

function call(item: JsonObject, name: string, args: JsonValue | undefined): JsonObject {
  return {
    type: 'function_call',
    call_id: callIdOf(item),
    name,
    arguments: writeExactJson(objectOf(args)),
  };
}

function result(item: JsonObject, output: string): JsonObject {
  return { type: 'function_call_output', call_id: callIdOf(item), output };
}

/** The id that joins a call and its result; the older shell's results have it as their own. */
export function callIdOf({ call_id: callId, id }: JsonObject): string {
  return textOf(callId) || textOf(id);
}

function shellText(output: JsonValue | undefined): string {
  if (typeof output === 'string') return output;
  return listOf(output)
    .filter(isObject)
    .map(({ stdout, stderr, outcome }) =>
      lines(textOf(stdout), textOf(stderr), endText(objectOf(outcome))),
    )
    .join('\n');
}

function endText({ type, exit_code: code }: JsonObject): string {
  if (type === 'timeout') return '(timed out)';
  return typeof code === 'number' && code !== 0 ? `(exit code ${code})` : '';
}

function patchText({ status, output }: JsonObject): string {
  const said = textOf(output);
  if (status !== 'failed') return said;
  return lines('Error: the patch was not applied', said);
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
