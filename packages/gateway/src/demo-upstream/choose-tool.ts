import type { ToolDefinition } from '@holdfast/core';
import { isSameWord, wordsOf } from './message-words.ts';

/** Descriptions go on for pages; what a tool is for is said first. */
const DESCRIPTION_CHARACTERS = 160;

/** The tool that a message asks for: that whose name, then whose description, has most of its words. */
export function chooseTool(
  message: string,
  tools: readonly ToolDefinition[],
): ToolDefinition | undefined {
  const wanted = new Set(wordsOf(message));
  let best = tools[0];
  let most = 0;
  for (const tool of tools) {
    const { name, description = '' } = tool;
    const score =
      4 * shared(wanted, wordsOf(name)) +
      shared(wanted, wordsOf(description.slice(0, DESCRIPTION_CHARACTERS)));
    if (score > most) {
      best = tool;
      most = score;
    }
  }
  return best;
}

function shared(wanted: ReadonlySet<string>, offered: readonly string[]): number {
  let count = 0;
  for (const word of wanted) if (offered.some((other) => isSameWord(word, other))) count++;
  return count;
}
