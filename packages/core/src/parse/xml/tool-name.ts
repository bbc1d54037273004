import type { ReadContext } from '../format.ts';

/** Letters of any script, digits, and what joins words in names of tools: no placeholder, no prose. */
const TOOL_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@-]*$/u;
const LONGEST_NAME = 128;

/** Whether `written` may be the name of a tool; one that was offered may be called anything. */
export function isToolName({ tools }: Pick<ReadContext, 'tools'>, written: string): boolean {
  if (written === '' || written.length > LONGEST_NAME) return false;
  return TOOL_NAME.test(written) || tools?.resolve(written) !== undefined;
}
