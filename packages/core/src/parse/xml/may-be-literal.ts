/** No literal that anyone means is longer, but for objects and lists; those begin with their bracket. */
export const LONGEST_HEAD = 64;
const WORDS = ['true', 'false', 'null', 'True', 'False', 'None'];
const NUMBER_SO_FAR = /^[\d.eE+-]*\s*$/;

/**
 * Whether a text that begins so may still turn out to be a literal of JSON or Python, and not just a text.
 * Once it says no, it says no of everything longer.
 */
export function mayBeLiteral(text: string): boolean {
  const head = text.slice(0, LONGEST_HEAD + 1).trimStart();
  const first = head.charAt(0);
  if (first === '{' || first === '[') return true;
  if (text.length > LONGEST_HEAD) return false;
  if (NUMBER_SO_FAR.test(head)) return true;
  const word = head.trimEnd();
  return WORDS.some((one) => (word === head ? one.startsWith(word) : one === word));
}
