import type { ScriptInput } from './script-input.ts';

/** Whether the last call was read to its end; else the block ended before it, or the text in it. */
export function canGoOn(input: ScriptInput): boolean {
  return input.endsAt === undefined && input.drafts.at(-1)?.isClosed === true;
}
