/** The tags models put around what they think before they answer. */
export const REASONING_TAGS: readonly { readonly open: string; readonly close: string }[] = [
  'think',
  'thinking',
  'reasoning',
].map((name) => ({ open: `<${name}>`, close: `</${name}>` }));

/** The first of `tags` at or after `from`. */
export function findClosingTag(
  text: string,
  from: number,
  tags: readonly string[],
): { readonly tag: string; readonly at: number } | undefined {
  let first: { tag: string; at: number } | undefined;
  for (const tag of tags) {
    const at = text.indexOf(tag, from);
    if (at >= 0 && (first === undefined || at < first.at)) first = { tag, at };
  }
  return first;
}

/** The length of the longest end of `text` that is a beginning of one of `tags`. */
export function partialClosingTag(text: string, tags: readonly string[]): number {
  let longest = 0;
  for (const tag of tags) {
    for (let length = Math.min(tag.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(tag.slice(0, length))) longest = length;
    }
  }
  return longest;
}
