import type { ToolNames } from '../internal/tool-names.ts';
import type { ToolCall } from '../types.ts';
import type { RawCall } from './format.ts';

/** A call as the user gets it: with an id, and with the name of the tool that it can only mean. */
export function completeCall(
  raw: RawCall,
  format: string,
  id: string,
  toolNames: ToolNames | undefined,
): ToolCall {
  const name = toolNames?.resolve(raw.name) ?? raw.name;
  return {
    id,
    name,
    arguments: raw.arguments,
    format,
    repairs: name === raw.name ? raw.repairs : [...raw.repairs, 'tool-name'],
    complete: raw.complete,
    lossy: raw.lossy,
  };
}
