import { labelLookAlikes } from '@holdfast/core/advise';
import { textBlock } from '../messages.ts';
import type { CallResult } from '../messages.ts';

/** A result that says what went wrong. It may name a tool, whose name is up to its server. */
export function errorResult(text: string): CallResult & { readonly isError: true } {
  return { content: [textBlock(labelLookAlikes(text))], isError: true };
}
