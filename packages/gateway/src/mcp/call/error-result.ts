import { textBlock } from '../messages.ts';
import type { CallResult } from '../messages.ts';

/** A result that tells the model what went wrong. */
export function errorResult(text: string): CallResult & { readonly isError: true } {
  return { content: [textBlock(text)], isError: true };
}
