import type { JsonObject } from '../../../types.ts';
import { jsonText } from '../json-text.ts';
import type { RenderableCall, RenderDialect } from '../render-dialect.ts';
import { asFunction } from '../tool-list.ts';

const MARKERS = [
  '[TOOL_CALLS]',
  '[/TOOL_CALLS]',
  '[TOOL_RESULTS]',
  '[/TOOL_RESULTS]',
  '[AVAILABLE_TOOLS]',
  '[/AVAILABLE_TOOLS]',
];

/** `[TOOL_CALLS] [{…}]`, the list that every generation of Mistral's models knows. */
export const mistral: RenderDialect = {
  format: 'mistral',
  writeCalls: list,
  writeResult: ({ name, callId, content, isError = false }) => {
    const result = {
      name,
      ...(isError ? { error: content } : { content }),
      ...idMember('call_id', callId),
    };
    return `[TOOL_RESULTS] ${jsonText(result, MARKERS)}[/TOOL_RESULTS]`;
  },
  writePrompt: (tools, example) =>
    `[AVAILABLE_TOOLS] ${jsonText(tools.map(asFunction), MARKERS)}[/AVAILABLE_TOOLS]

You can call the tools above. To call tools, write [TOOL_CALLS] and a JSON array with one object for each call, such as:

${list([example])}

Put several calls into the same array. Write nothing after it: the results come back within [TOOL_RESULTS]. If no tool is needed, answer without [TOOL_CALLS].`,
};

function list(calls: readonly RenderableCall[]): string {
  const entries = calls.map(({ id, name, arguments: args }) => {
    return { name, arguments: args, ...idMember('id', id) };
  });
  return `[TOOL_CALLS] ${jsonText(entries, MARKERS)}`;
}

/** Ids of nine letters and digits are the only ones these models know. */
function idMember(key: string, id: string | undefined): JsonObject {
  return id !== undefined && /^[a-zA-Z\d]{9}$/.test(id) ? { [key]: id } : {};
}
